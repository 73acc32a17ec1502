import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import { openTestPool } from '../support/test-pool.ts'
import { makePayer, meteringDatabase } from './statement.ts'

const db = meteringDatabase()
const patience = { timeout: 10_000, interval: 20 }
/** Pool limited to one connection, so that tests can flush the statistics of its session on demand. */
let one: Database
/** Partition that holds all rows of this test file. */
let day = ''

/** Writes this many calls to the log in one transaction, and returns the name of their partition. */
async function log(rows: number): Promise<string> {
  const payer = await makePayer(db.pool)
  const written = await db.pool.query<{ day: string }>(
    `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
       SELECT (left(first_id_at(now())::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, $1, $2, 100, now(), 0, 1, 1, 200, 0 FROM generate_series(1, $3::int)
       RETURNING tableoid::regclass::text AS day`,
    [payer.accountId, payer.keyId, rows],
  )
  return written.rows[0]?.day ?? ''
}

/** Returns the number of log pages that `work` reads. */
async function pagesReadBy(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await one.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await one.query<{ pages: number }>(
      'SELECT (heap_blks_hit + heap_blks_read)::int AS pages FROM pg_statio_user_tables WHERE relid = $1::regclass',
      [day],
    )
    return rows[0]?.pages ?? 0
  }
  const before = await read()
  await work()
  return (await read()) - before
}

async function pagesOfTheDay(): Promise<number> {
  const { rows } = await one.query<{ pages: number }>("SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int AS pages", [day])
  return rows[0]?.pages ?? 0
}

/**
 * Rolls up the log and asserts that nothing is left. May need retries, because the roll-up waits for the oldest transaction on the server, which may belong to
 * another test.
 */
async function isAddedUp(): Promise<void> {
  await addUpUsage(one)
  const { rows } = await one.query<{ left: number }>('SELECT count(*)::int AS left FROM request_log WHERE tx >= (SELECT next_tx FROM usage_progress)')
  expect(rows[0]?.left).toBe(0)
}

beforeAll(async () => {
  one = openTestPool({ connectionString: db.url, max: 1 })
  day = await log(1)
  // Autovacuum would summarise new pages, and its reads would be counted as well.
  await one.query(`ALTER TABLE ${day} SET (autovacuum_enabled = false)`)
  await log(40_000)
})
afterAll(() => one.end())

test('reads only new pages of the log, however many were rolled up before', async () => {
  const pages = await pagesOfTheDay()
  expect(pages).toBeGreaterThan(400)
  expect(await pagesReadBy(() => addUpUsage(one))).toBeGreaterThanOrEqual(pages)
  await vi.waitFor(isAddedUp, patience)
  await log(10)
  // The limit allows for the pages of the BRIN range that is still being filled (at most 2 × 32) and for pages added since.
  expect(await pagesReadBy(() => addUpUsage(one))).toBeLessThan(100)
})

test('rolls up usage without waiting for a vacuum of the log', async () => {
  const vacuum = new Client({ connectionString: db.url })
  await vacuum.connect()
  try {
    await vacuum.query('BEGIN')
    await vacuum.query(`LOCK TABLE ${day} IN SHARE UPDATE EXCLUSIVE MODE`)
    await log(10_000)
    await one.query("SET statement_timeout = '900ms'")
    expect(await addUpUsage(one)).toBeInstanceOf(Date)
  } finally {
    await vacuum.end()
  }
})
