/** Imports feeds into a database, one after the other, and says so when each is in: import-process.ts URL FILE… It may be killed at any moment. */
import { createReadStream, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { Pool } from 'pg'
import { importFeed } from '../../../server/market/import/import-feed.ts'

const [url, ...files] = process.argv.slice(2)
const pool = new Pool({ connectionString: url, max: 2 })
for (const file of files) {
  await importFeed(pool, { source: createReadStream(file, 'utf8'), fileName: basename(file), dataset: 'live', confirm: true })
  writeSync(1, `${basename(file)}\n`)
}
await pool.end()
