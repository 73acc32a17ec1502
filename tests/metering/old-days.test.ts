import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import { getFirstCall, getLastRequest } from '#server/metering/account-overview.ts'
import type { RequestQuestion } from '#server/metering/requests.ts'
import { requestPage } from '#server/metering/requests.ts'
import { openTestPool } from '../support/test-pool.ts'
import { admit, buildRequest, makePayer, meteringDatabase, type Payer } from './statement.ts'

const db = meteringDatabase()
/** Pool limited to one connection, so that the locks of its session can be counted. */
let one: Database
let payer: Payer

beforeAll(async () => {
  one = openTestPool({ connectionString: db.url, max: 1 })
  payer = await makePayer(db.pool)
  await one.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 200, 200)")
  await admit(db.pool, [buildRequest(payer)])
})
afterAll(() => one.end())

/** Returns the number of log partitions older than 32 days that `read` locks. */
async function oldDaysLockedBy(read: () => Promise<unknown>): Promise<number> {
  await one.query('BEGIN')
  try {
    await read()
    const { rows } = await one.query<{ days: number }>(
      `SELECT count(DISTINCT relation)::int AS days FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE l.pid = pg_backend_pid() AND c.relname ~ '^request_log_\\d{8}$' AND right(c.relname, 8) < to_char(now() - interval '32 days', 'YYYYMMDD')`,
    )
    return rows[0]?.days ?? 0
  } finally {
    await one.query('ROLLBACK')
  }
}

const question: RequestQuestion = { search: null, endpoint: null, status: null, key: null, from: null, to: null, before: null, limit: 10 }

test('locks no partitions older than 32 days when reading the log of an account', async () => {
  const looked = await oldDaysLockedBy(() => one.query('SELECT count(*) FROM request_log'))
  expect(looked).toBeGreaterThan(150)
  expect(await oldDaysLockedBy(async () => expect(await getLastRequest(one, payer.accountId, [])).not.toBeNull())).toBe(0)
  expect(await oldDaysLockedBy(async () => expect(await getFirstCall(one, payer.accountId, [])).not.toBeNull())).toBe(0)
  expect(await oldDaysLockedBy(() => requestPage(one, payer.accountId, question, []))).toBe(0)
})
