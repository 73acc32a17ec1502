import { expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { addUpUsage, dropOldLog, maintainLog } from '#server/metering/usage.ts'
import { admit, buildRequest, makePayer, meteringDatabase } from './statement.ts'

const db = meteringDatabase()
const dayMs = 86_400_000

let made = 0
/** Returns a unique request id for a given time. */
const idAt = (at: number) => `${at.toString(16).padStart(12, '0')}70008000${(++made).toString(16).padStart(12, '0')}`
const dayName = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')

async function findPartition(id: string): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ partition: string }>('SELECT tableoid::regclass::text AS partition FROM request_log WHERE id = $1', [id])
  return rows[0]?.partition
}

async function makePartitions(from: number, days: number): Promise<number> {
  const { rows } = await db.pool.query<{ made: number }>('SELECT make_log_partitions($1::date, $2) AS made', [new Date(from).toISOString().slice(0, 10), days])
  return rows[0]?.made ?? -1
}

/** Returns the error of a rejected change. Rolls back a change that succeeds. */
async function readRejection(statement: string, values: unknown[] = []): Promise<string> {
  const client = await db.pool.connect()
  try {
    await client.query('BEGIN')
    return await client.query(statement, values).then(
      () => 'the change succeeded',
      (error: Error) => error.message,
    )
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test.each(['request_log', 'ledger_entry'])('%s rejects updates and deletes', async (table) => {
  const payer = await makePayer(db.pool)
  await admit(db.pool, [buildRequest(payer)])
  expect(await readRejection(`UPDATE ${table} SET credits = 0 WHERE account_id = $1`, [payer.accountId])).toContain('append-only')
  expect(await readRejection(`DELETE FROM ${table} WHERE account_id = $1`, [payer.accountId])).toContain('append-only')
  expect(await readRejection(`TRUNCATE ${table}`)).toContain('append-only')
})

test('rejects updates and deletes of a log row through its partition', async () => {
  const payer = await makePayer(db.pool)
  const request = buildRequest(payer)
  await admit(db.pool, [request])
  const partition = await findPartition(request.id)
  expect(await readRejection(`UPDATE ${partition} SET credits = 0 WHERE id = $1`, [request.id])).toContain('append-only')
  expect(await readRejection(`DELETE FROM ${partition} WHERE id = $1`, [request.id])).toContain('append-only')
})

test('selects the partition by the time in the id, to the millisecond', async () => {
  const payer = await makePayer(db.pool)
  const tomorrow = (Math.floor(Date.now() / dayMs) + 1) * dayMs
  const [before, after] = [idAt(tomorrow - 1), idAt(tomorrow)]
  await admit(db.pool, [buildRequest(payer, { id: before }), buildRequest(payer, { id: after })])
  expect(await findPartition(before)).toBe(`request_log_${dayName(tomorrow - 1)}`)
  expect(await findPartition(after)).toBe(`request_log_${dayName(tomorrow)}`)
})

test('creates each partition once, even if several processes try at the same time', async () => {
  const from = Date.UTC(2031, 4, 1)
  const counts = await Promise.all(Array.from({ length: 6 }, () => makePartitions(from, 4)))
  expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 4])
  expect(await makePartitions(from, 5)).toBe(1)
})

test('stores a row for a day without a partition in request_log_rest, and counts it in the ledger', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const day = Date.UTC(2032, 1, 10, 12)
  const id = idAt(day)
  expect(await admit(db.pool, [buildRequest(payer, { id, price: 4 })])).toMatchObject([{ verdict: 0, balance: 6 }])
  expect(await findPartition(id)).toBe('request_log_rest')
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await makePartitions(day - dayMs, 3)).toBe(2)
  expect(await findPartition(id)).toBe('request_log_rest')
  // New requests of that day are still accepted, and a repeated request id is still rejected.
  expect(await admit(db.pool, [buildRequest(payer, { id: idAt(day), price: 4 })])).toMatchObject([{ verdict: 0, balance: 2 }])
  await expect(admit(db.pool, [buildRequest(payer, { id })])).rejects.toThrow(/request_log.*_pkey/)
})

test('creates the partitions of the coming days, and deletes only expired idempotency keys', async () => {
  const payer = await makePayer(db.pool)
  const ask = (key: string) => buildRequest(payer, { idempotency: { key, request: 'aa' } })
  await admit(db.pool, [ask('old'), ask('young')])
  await db.pool.query("UPDATE idempotency SET at = at - interval '11 minutes' WHERE account_id = $1 AND key = 'old'", [payer.accountId])
  await maintainLog(db.pool)
  const { rows } = await db.pool.query('SELECT key FROM idempotency WHERE account_id = $1', [payer.accountId])
  expect(rows).toEqual([{ key: 'young' }])
  for (const days of [-1, 0, 1, 8]) {
    const { rows: found } = await db.pool.query('SELECT to_regclass($1) IS NOT NULL AS there', [`request_log_${dayName(Date.now() + days * dayMs)}`])
    expect(found).toEqual([{ there: true }])
  }
})

const kept = 90
const longAgo = Date.now() - 100 * dayMs
const isThere = async (at: number) =>
  (await db.pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [`request_log_${dayName(at)}`])).rows[0]?.there
const usedBy = async (accountId: number) =>
  (await db.pool.query<{ credits: string }>('SELECT coalesce(sum(credits), 0) AS credits FROM usage_day WHERE account_id = $1', [accountId])).rows[0]?.credits
/** Retries the roll-up, because it waits for the oldest open transaction on the server. */
const untilAddedUp = (accountId: number, credits: number) =>
  vi.waitFor(
    async () => {
      await addUpUsage(db.pool)
      expect(await usedBy(accountId)).toBe(String(credits))
    },
    { timeout: 15_000, interval: 50 },
  )

test('drops days beyond retention once their totals are stored, and keeps the ledger exact', async () => {
  const payer = await makePayer(db.pool, { credits: 20 })
  await makePartitions(longAgo, 2)
  await makePartitions(Date.now() - (kept - 1) * dayMs, 1)
  await admit(db.pool, [buildRequest(payer, { id: idAt(longAgo), price: 4 }), buildRequest(payer, { id: idAt(longAgo + dayMs), price: 3 })])
  await admit(db.pool, [buildRequest(payer, { price: 2 })])
  // Days that have not been rolled up are kept.
  expect(await dropOldLog(db.pool, kept)).toBe(0)
  await untilAddedUp(payer.accountId, 9)
  expect(await dropOldLog(db.pool, kept)).toBe(2)
  expect([await isThere(longAgo), await isThere(longAgo + dayMs), await isThere(Date.now() - (kept - 1) * dayMs)]).toEqual([false, false, true])
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await usedBy(payer.accountId)).toBe('9')
  const { rows } = await db.pool.query('SELECT credits::int FROM dropped_charge WHERE account_id = $1', [payer.accountId])
  expect(rows).toEqual([{ credits: 7 }])
  expect(await admit(db.pool, [buildRequest(payer, { price: 1 })])).toMatchObject([{ verdict: 0, balance: 10 }])
})

test('does not drop the expired day or block charges while a long query reads the log', async () => {
  const payer = await makePayer(db.pool, { credits: 20 })
  await makePartitions(longAgo, 1)
  await admit(db.pool, [buildRequest(payer, { id: idAt(longAgo), price: 4 })])
  await untilAddedUp(payer.accountId, 4)
  const reader = await db.pool.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM request_log')
  const dropping = dropOldLog(db.pool, kept)
  const started = performance.now()
  for (let n = 0; n < 5; n++) await admit(db.pool, [buildRequest(payer)])
  expect(performance.now() - started).toBeLessThan(1_000)
  expect(await dropping).toBe(0)
  await reader.query('COMMIT')
  reader.release()
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await dropOldLog(db.pool, kept)).toBe(1)
  expect((await verifyLedger(db.pool)).differences).toEqual([])
})

test('creates the next partitions even after the worker was down so long that none were left', async () => {
  const payer = await makePayer(db.pool)
  const days = [0, 1, 2].map((n) => Date.now() + n * dayMs)
  for (const day of days) await db.pool.query(`DROP TABLE IF EXISTS request_log_${dayName(day)}`)
  const late = buildRequest(payer)
  await admit(db.pool, [late])
  expect(await findPartition(late.id)).toBe('request_log_rest')
  await maintainLog(db.pool)
  // Today already has rows in request_log_rest and stays there. The coming days have partitions again.
  expect(await Promise.all(days.map(isThere))).toEqual([false, true, true])
  const next = buildRequest(payer)
  await admit(db.pool, [next])
  expect(await findPartition(next.id)).toBe('request_log_rest')
  expect((await db.pool.query('SELECT id FROM request_log WHERE account_id = $1', [payer.accountId])).rowCount).toBe(2)
})
