import { expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { addKey, admit, buildRequest, makePayer, meteringDatabase, type Payer, readCounters, readLog, repeatRequest, settle, toVerdicts } from './statement.ts'

const db = meteringDatabase()

type Entry = { kind: string; credits: number; balanceAfter: number; reference: string | null }

/** Returns the account's reversal entries, oldest first, with references without dashes. */
async function readReversals(payer: Payer): Promise<Entry[]> {
  const { rows } = await db.pool.query<Entry>(
    `SELECT kind, credits::int, balance_after::int AS "balanceAfter", replace(reference, '-', '') AS reference
     FROM ledger_entry WHERE account_id = $1 AND kind = 'reversal' ORDER BY id`,
    [payer.accountId],
  )
  return rows
}

const voided = (request: AdmissionRequest) => ({ ...request, isVoid: true })

test('returns the same charge each time a charged request is reconciled', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer, { price: 2, units: 3 })
  await admit(db.pool, [request])
  for (let round = 0; round < 2; round++) expect(await settle(db.pool, [request])).toEqual([{ status: 200, units: 3, credits: 6, balance: 4 }])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 1, monthSpent: 6 })
  expect(await readReversals(payer)).toEqual([])
})

test('returns the status of a rejected request', async () => {
  const payer = await makePayer(db.pool, { credits: 0, perMinute: 1 })
  const requests = repeatRequest(2, payer)
  await admit(db.pool, requests)
  expect((await settle(db.pool, requests.map(voided))).map(({ status, credits }) => [status, credits])).toEqual([
    [402, 0],
    [429, 0],
  ])
  expect(await readReversals(payer)).toEqual([])
})

test('marks a request without a recorded outcome as failed, without charging or counting it', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer)
  expect(await settle(db.pool, [request])).toEqual([{ status: 500, units: 0, credits: 0, balance: 10 }])
  expect(await settle(db.pool, [request, voided(request)])).toEqual(Array.from({ length: 2 }, () => ({ status: 500, units: 0, credits: 0, balance: 10 })))
  expect(await readLog(db.pool, payer)).toEqual([{ id: request.id, key_id: payer.keyId, status: 500, error: 17, units: 0, credits: 0, balance: 10 }])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
})

test('rejects an entire delayed batch if one of its requests was already reconciled', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const batch = [buildRequest(payer), buildRequest(other), buildRequest(payer)]
  await settle(db.pool, batch.slice(0, 1))
  await expect(admit(db.pool, batch)).rejects.toThrow(/request_log.*_pkey/)
  expect(await readCounters(db.pool, other)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
  expect(await readLog(db.pool, other)).toEqual([])
})

test('waits for a batch that is about to commit, then reverses its charge', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer)
  const lingering = await db.pool.connect()
  try {
    await lingering.query('BEGIN')
    await admit(lingering, [request])
    const settling = settle(db.pool, [voided(request)])
    const first = await Promise.race([settling, new Promise((resolve) => setTimeout(() => resolve('waits'), 150))])
    expect(first).toBe('waits')
    await lingering.query('COMMIT')
    expect(await settling).toEqual([{ status: 500, units: 0, credits: 0, balance: 10 }])
  } finally {
    lingering.release()
  }
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 })
})

test('reverses an unreported charge once, deducts it from the monthly spend, and releases its idempotency key', async () => {
  const payer = await makePayer(db.pool, { credits: 10, spendCap: 6 })
  const idempotency = { key: 'again', request: 'aa' }
  const request = buildRequest(payer, { price: 2, units: 3, idempotency })
  await admit(db.pool, [request])
  for (let round = 0; round < 3; round++) expect(await settle(db.pool, [voided(request)])).toMatchObject([{ status: 500, units: 0, credits: 0 }])
  expect(await readReversals(payer)).toEqual([{ kind: 'reversal', credits: 6, balanceAfter: 10, reference: request.id }])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 10, dayUsed: 1, minuteUsed: 1, monthSpent: 0 })
  // The log row stays unchanged. The same idempotency key can be used for a new purchase, and the cap has room for it.
  expect((await readLog(db.pool, payer)).map(({ status, credits }) => [status, credits])).toEqual([[200, 6]])
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer, { price: 2, units: 3, idempotency })]))).toEqual([0])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 4, monthSpent: 6 })
})

test('reverses a charge once, even with concurrent reversals', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer, { price: 5 })
  await admit(db.pool, [request])
  await Promise.all(Array.from({ length: 8 }, () => settle(db.pool, [voided(request), voided(request)])))
  expect(await readReversals(payer)).toHaveLength(1)
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 })
})

test('reversing a charge does not change a counter that belongs to another month', async () => {
  const payer = await makePayer(db.pool, { credits: 20, spendCap: 10 })
  const request = buildRequest(payer, { price: 4 })
  await admit(db.pool, [request])
  // Simulates a new month: the counter no longer belongs to the month of the charge.
  await db.pool.query('UPDATE key_meter SET month = month - 1 WHERE key_id = $1', [payer.keyId])
  await settle(db.pool, [voided(request)])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 20, monthSpent: 4 })
})

test("reversing last month's charge does not reduce this month's spend", async () => {
  const payer = await makePayer(db.pool, { credits: 20, spendCap: 10 })
  const request = buildRequest(payer)
  // Simulates a charge made last month: its row is dated last month, but the counter belongs to this month.
  await db.pool.query(
    `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
     VALUES ($1, $2, $3, 16, now() - interval '32 days', 4, 4, 9, 200, 0)`,
    [request.id, payer.accountId, payer.keyId],
  )
  await db.pool.query('UPDATE wallet SET balance = balance - 4 WHERE account_id = $1', [payer.accountId])
  await admit(db.pool, [buildRequest(payer, { price: 3 })])
  await settle(db.pool, [voided(request)])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 17, monthSpent: 3 })
})

test('reconciles many accounts request by request, in any order', async () => {
  const first = await makePayer(db.pool, { credits: 10 })
  const second = await addKey(db.pool, first.account)
  const visitor = await makePayer(db.pool, { credits: 10 })
  const charged = [visitor, first, second, visitor].map((payer) => buildRequest(payer, { price: 2 }))
  await admit(db.pool, charged)
  const unknown = buildRequest(second)
  const [a, b, c, d] = charged
  if (!(a && b && c && d)) throw new Error('Expected four requests.')
  expect(await settle(db.pool, [c, voided(d), unknown, voided(b), a])).toEqual([
    { status: 200, units: 1, credits: 2, balance: 6 },
    { status: 500, units: 0, credits: 0, balance: 8 },
    { status: 500, units: 0, credits: 0, balance: 6 },
    { status: 500, units: 0, credits: 0, balance: 8 },
    { status: 200, units: 1, credits: 2, balance: 8 },
  ])
  expect((await verifyLedger(db.pool)).differences).toEqual([])
})
