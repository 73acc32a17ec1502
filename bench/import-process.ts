/**
 * Imports feeds in the same way as the `svc` command, but in a separate process, and prints the duration of each as a JSON line: import-process.ts URL FILE…
 */
import { createReadStream, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { openPool } from '#server/db/pool.ts'
import { importFeed } from '#server/market/import/import-feed.ts'

const timeoutMs = 30 * 60_000

/** Peak memory of this process in megabytes; null if unknown. */
function peakMegabytes(): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
  } catch {
    return null // Not Linux.
  }
}

const [url = '', ...files] = process.argv.slice(2)
const pool = openPool({ url, max: 2, applicationName: 'bench import', statementTimeoutMs: timeoutMs, onError: (error) => console.error(error.message) })
for (const file of files) {
  const from = performance.now()
  const source = createReadStream(file, 'utf8') as AsyncIterable<string>
  const { rows, added, changed, unchanged } = await importFeed(pool, { source, fileName: basename(file), dataset: 'live', confirm: true })
  console.log(JSON.stringify({ file: basename(file), ms: performance.now() - from, rows, added, changed, unchanged, peakMegabytes: peakMegabytes() }))
}
await pool.end()
