import { expect, test, vi } from 'vitest'
import { addUpUsage, renumberMovedLog } from '#server/metering/usage.ts'
import type { Log } from '#server/observability/log.ts'
import { admit, buildRequest, makePayer, meteringDatabase, type Payer, repeatRequest } from './statement.ts'

const db = meteringDatabase()
const log = { warn: vi.fn() } as unknown as Log

/** Writes log rows the way pg_dump restores them: in one transaction, but with the transaction ids of the old server. */
const insertRestoredRows = ({ accountId, keyId }: Payer, numbers: readonly number[]) =>
  db.pool.query(
    `INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
     SELECT (left(first_id_at(now())::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, $1, $2, tx, 100, now(), 0, 1, 1, 200, 0 FROM unnest($3::bigint[]) tx`,
    [accountId, keyId, numbers],
  )

async function countRequests({ keyId }: Payer): Promise<number> {
  const { rows } = await db.pool.query<{ requests: number }>('SELECT coalesce(sum(requests), 0)::int AS requests FROM usage_day WHERE key_id = $1', [keyId])
  return rows[0]?.requests ?? 0
}

const newest = async () => Number((await db.pool.query('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS tx')).rows[0]?.tx)

test('counts each call exactly once after the log is moved to another PostgreSQL server', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const here = await newest()
  const place = here + 1_000_000
  // Calls that were counted before the move. Some of their transaction ids are far ahead of this server's; the rest are the ones it will assign next.
  await insertRestoredRows(payer, [place - 1, place - 2, ...Array.from({ length: 60 }, (_, more) => here - 10 + more)])
  // Calls that were not counted before the move.
  await insertRestoredRows(payer, [place, place + 7])
  await db.pool.query('UPDATE usage_progress SET next_tx = $1', [place])
  await db.pool.query('UPDATE alert_progress SET next_tx = $1', [place - 1])
  await admit(db.pool, repeatRequest(3, payer))
  await expect(addUpUsage(db.pool)).rejects.toThrow('comes from another PostgreSQL')
  expect(await countRequests(payer)).toBe(0)

  await Promise.all([renumberMovedLog(db.pool, log), renumberMovedLog(db.pool, log)])
  await admit(db.pool, [buildRequest(payer)])
  const counted = async () => {
    await addUpUsage(db.pool)
    expect(await countRequests(payer)).toBe(2 + 3 + 1)
  }
  await vi.waitFor(counted, { timeout: 10_000, interval: 20 })
  for (let more = 0; more < 80; more++) await db.pool.query('SELECT pg_current_xact_id()')
  await counted()
  expect(await newest()).toBeGreaterThan(here + 60)
  await expect(db.pool.query('UPDATE request_log SET credits = 0')).rejects.toThrow('append-only')
})

test('leaves a log written by this server unchanged', async () => {
  const warn = vi.fn()
  await renumberMovedLog(db.pool, { warn } as unknown as Log)
  expect(warn).not.toHaveBeenCalled()
  expect((await db.pool.query('SELECT adopt_moved_log() AS rows')).rows).toEqual([{ rows: null }])
})
