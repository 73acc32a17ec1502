/**
 * Worker in a separate process that a test may kill at any moment. Its job copies the rows of `todo` to `done`, slowly, in one transaction per row.
 *
 * node job-process.ts '{"databaseUrl"}'
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '#server/db/transaction.ts'
import { JobRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/observability/log.ts'
import { openTestPool } from '../../support/test-pool.ts'

const { databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string }
const pool = openTestPool({ connectionString: databaseUrl, max: 4, application_name: 'job-process' })

const copyOne = () =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: number }>('DELETE FROM todo WHERE id = (SELECT id FROM todo ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id')
    if (rows[0] === undefined) return false
    await sleep(20)
    await tx.query('INSERT INTO done (id) VALUES ($1)', [rows[0].id])
    return true
  })

const run = async () => {
  while (await copyOne());
}
await JobRunner.start([{ name: 'test.copy', everyMinutes: 5, run }], pool, createLog('error'))
