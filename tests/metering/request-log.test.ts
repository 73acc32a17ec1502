import { expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { addUpUsage, dropOldLog, maintainLog } from '#server/metering/usage.ts'
import { admit, makePayer, meteringDatabase, requestOf } from './statement.ts'

const db = meteringDatabase()
const dayMs = 86_400_000

/** A request id of a moment, with random bits that no other test uses. */
let made = 0
const idAt = (at: number) => `${at.toString(16).padStart(12, '0')}70008000${(++made).toString(16).padStart(12, '0')}`
const dayName = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')

async function partitionOf(id: string): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ partition: string }>('SELECT tableoid::regclass::text AS partition FROM request_log WHERE id = $1', [id])
  return rows[0]?.partition
}

async function makePartitions(from: number, days: number): Promise<number> {
  const { rows } = await db.pool.query<{ made: number }>('SELECT make_log_partitions($1::date, $2) AS made', [new Date(from).toISOString().slice(0, 10), days])
  return rows[0]?.made ?? -1
}

/** What a change says that is refused. Nothing of one that is not stays. */
async function refusalOf(statement: string, values: unknown[] = []): Promise<string> {
  const client = await db.pool.connect()
  try {
    await client.query('BEGIN')
    return await client.query(statement, values).then(
      () => 'it was allowed',
      (error: Error) => error.message,
    )
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test.each(['request_log', 'ledger_entry'])('%s takes no change and no removal', async (table) => {
  const payer = await makePayer(db.pool)
  await admit(db.pool, [requestOf(payer)])
  expect(await refusalOf(`UPDATE ${table} SET credits = 0 WHERE account_id = $1`, [payer.accountId])).toContain('append-only')
  expect(await refusalOf(`DELETE FROM ${table} WHERE account_id = $1`, [payer.accountId])).toContain('append-only')
  expect(await refusalOf(`TRUNCATE ${table}`)).toContain('append-only')
})

test('a row of the log takes no change and no removal through its partition either', async () => {
  const payer = await makePayer(db.pool)
  const request = requestOf(payer)
  await admit(db.pool, [request])
  const partition = await partitionOf(request.id)
  expect(await refusalOf(`UPDATE ${partition} SET credits = 0 WHERE id = $1`, [request.id])).toContain('append-only')
  expect(await refusalOf(`DELETE FROM ${partition} WHERE id = $1`, [request.id])).toContain('append-only')
})

test('the time in the id chooses the partition, to the millisecond', async () => {
  const payer = await makePayer(db.pool)
  const tomorrow = (Math.floor(Date.now() / dayMs) + 1) * dayMs
  const [before, after] = [idAt(tomorrow - 1), idAt(tomorrow)]
  await admit(db.pool, [requestOf(payer, { id: before }), requestOf(payer, { id: after })])
  expect(await partitionOf(before)).toBe(`request_log_${dayName(tomorrow - 1)}`)
  expect(await partitionOf(after)).toBe(`request_log_${dayName(tomorrow)}`)
})

test('partitions are made once, also by several processes at the same time', async () => {
  const from = Date.UTC(2031, 4, 1)
  const counts = await Promise.all(Array.from({ length: 6 }, () => makePartitions(from, 4)))
  expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 4])
  expect(await makePartitions(from, 5)).toBe(1)
})

test('a row outside all partitions is kept in the rest, counts in the books, and its day stays there', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const day = Date.UTC(2032, 1, 10, 12)
  const id = idAt(day)
  expect(await admit(db.pool, [requestOf(payer, { id, price: 4 })])).toMatchObject([{ verdict: 0, balance: 6 }])
  expect(await partitionOf(id)).toBe('request_log_rest')
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await makePartitions(day - dayMs, 3)).toBe(2)
  expect(await partitionOf(id)).toBe('request_log_rest')
  // The same day again, and the same request: still refused, although it lies in the rest.
  expect(await admit(db.pool, [requestOf(payer, { id: idAt(day), price: 4 })])).toMatchObject([{ verdict: 0, balance: 2 }])
  await expect(admit(db.pool, [requestOf(payer, { id })])).rejects.toThrow(/request_log.*_pkey/)
})

test('keeping the log makes the days ahead and forgets idempotency keys after their time only', async () => {
  const payer = await makePayer(db.pool)
  const ask = (key: string) => requestOf(payer, { idempotency: { key, request: 'aa' } })
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
/** The sums wait for the oldest transaction anywhere on the server. */
const untilAddedUp = (accountId: number, credits: number) =>
  vi.waitFor(
    async () => {
      await addUpUsage(db.pool)
      expect(await usedBy(accountId)).toBe(String(credits))
    },
    { timeout: 15_000, interval: 50 },
  )

test('days beyond the retention go when their sums are kept, and the books stay exact', async () => {
  const payer = await makePayer(db.pool, { credits: 20 })
  await makePartitions(longAgo, 2)
  await makePartitions(Date.now() - (kept - 1) * dayMs, 1)
  await admit(db.pool, [requestOf(payer, { id: idAt(longAgo), price: 4 }), requestOf(payer, { id: idAt(longAgo + dayMs), price: 3 })])
  await admit(db.pool, [requestOf(payer, { price: 2 })])
  // Nothing goes that has not been added up.
  expect(await dropOldLog(db.pool, kept)).toBe(0)
  await untilAddedUp(payer.accountId, 9)
  expect(await dropOldLog(db.pool, kept)).toBe(2)
  expect([await isThere(longAgo), await isThere(longAgo + dayMs), await isThere(Date.now() - (kept - 1) * dayMs)]).toEqual([false, false, true])
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await usedBy(payer.accountId)).toBe('9')
  const { rows } = await db.pool.query('SELECT credits::int FROM dropped_charge WHERE account_id = $1', [payer.accountId])
  expect(rows).toEqual([{ credits: 7 }])
  expect(await admit(db.pool, [requestOf(payer, { price: 1 })])).toMatchObject([{ verdict: 0, balance: 10 }])
})

test('a day that cannot be dropped behind a long look at the log is left, and charges go on meanwhile', async () => {
  const payer = await makePayer(db.pool, { credits: 20 })
  await makePartitions(longAgo, 1)
  await admit(db.pool, [requestOf(payer, { id: idAt(longAgo), price: 4 })])
  await untilAddedUp(payer.accountId, 4)
  const reader = await db.pool.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM request_log')
  const dropping = dropOldLog(db.pool, kept)
  const started = performance.now()
  for (let n = 0; n < 5; n++) await admit(db.pool, [requestOf(payer)])
  expect(performance.now() - started).toBeLessThan(1_000)
  expect(await dropping).toBe(0)
  await reader.query('COMMIT')
  reader.release()
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await dropOldLog(db.pool, kept)).toBe(1)
  expect((await verifyLedger(db.pool)).differences).toEqual([])
})

test('a worker that was off while partitions ran out makes those of today and of the days ahead, beside the rest', async () => {
  const payer = await makePayer(db.pool)
  const days = [0, 1, 2].map((n) => Date.now() + n * dayMs)
  for (const day of days) await db.pool.query(`DROP TABLE IF EXISTS request_log_${dayName(day)}`)
  const late = requestOf(payer)
  await admit(db.pool, [late])
  expect(await partitionOf(late.id)).toBe('request_log_rest')
  await maintainLog(db.pool)
  // Today's rows lie in the rest, so today stays there; the days ahead have their own again.
  expect(await Promise.all(days.map(isThere))).toEqual([false, true, true])
  const next = requestOf(payer)
  await admit(db.pool, [next])
  expect(await partitionOf(next.id)).toBe('request_log_rest')
  expect((await db.pool.query('SELECT id FROM request_log WHERE account_id = $1', [payer.accountId])).rowCount).toBe(2)
})
