/** Imports feeds as the operator's command does, in a process of its own, and prints what each took as a line of JSON: import-process.ts URL FILE… */
import { createReadStream, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { openPool } from '#server/db/pool.ts'
import { importFeed } from '#server/market/import/import-feed.ts'

const withinMs = 30 * 60_000

/** The most memory that this process has held, in megabytes; null where the system does not tell. */
function peakMegabytes(): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
  } catch {
    return null // No Linux.
  }
}

const [url = '', ...files] = process.argv.slice(2)
const pool = openPool({ url, max: 2, applicationName: 'bench import', statementTimeoutMs: withinMs, onError: (error) => console.error(error.message) })
for (const file of files) {
  const from = performance.now()
  const source = createReadStream(file, 'utf8') as AsyncIterable<string>
  const { rows, added, changed, unchanged } = await importFeed(pool, { source, fileName: basename(file), dataset: 'live', confirm: true })
  console.log(JSON.stringify({ file: basename(file), ms: performance.now() - from, rows, added, changed, unchanged, peakMegabytes: peakMegabytes() }))
}
await pool.end()
