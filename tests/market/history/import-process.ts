/** Imports feeds into a database one after another and reports each one: import-process.ts URL FILE… Tests may kill it at any time. */
import { createReadStream, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { importFeed } from '#server/market/import/import-feed.ts'
import { openTestPool } from '../../support/test-pool.ts'

const [url, ...files] = process.argv.slice(2)
const pool = openTestPool({ connectionString: url, max: 2 })
for (const file of files) {
  await importFeed(pool, { source: createReadStream(file, 'utf8'), fileName: basename(file), dataset: 'live', confirm: true })
  writeSync(1, `${basename(file)}\n`)
}
await pool.end()
