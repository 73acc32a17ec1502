import { expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { addKey, admit, countersOf, logOf, makePayer, meteringDatabase, type Payer, requestOf, settle, timesOf, verdictsOf } from './statement.ts'

const db = meteringDatabase()

type Entry = { kind: string; credits: number; balanceAfter: number; reference: string | null }

/** What entered besides the charges and the first credits; references without dashes. */
async function reversalsOf(payer: Payer): Promise<Entry[]> {
  const { rows } = await db.pool.query<Entry>(
    `SELECT kind, credits::int, balance_after::int AS "balanceAfter", replace(reference, '-', '') AS reference
     FROM ledger_entry WHERE account_id = $1 AND kind = 'reversal' ORDER BY id`,
    [payer.accountId],
  )
  return rows
}

const voided = (request: AdmissionRequest) => ({ ...request, isVoid: true })

test('a charged request is found and told with its charge, as often as it is asked for', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = requestOf(payer, { price: 2, units: 3 })
  await admit(db.pool, [request])
  for (let round = 0; round < 2; round++) expect(await settle(db.pool, [request])).toEqual([{ status: 200, units: 3, credits: 6, balance: 4 }])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 1, monthSpent: 6 })
  expect(await reversalsOf(payer)).toEqual([])
})

test('a refused request is found as refused', async () => {
  const payer = await makePayer(db.pool, { credits: 0, perMinute: 1 })
  const requests = timesOf(2, payer)
  await admit(db.pool, requests)
  expect((await settle(db.pool, requests.map(voided))).map(({ status, credits }) => [status, credits])).toEqual([
    [402, 0],
    [429, 0],
  ])
  expect(await reversalsOf(payer)).toEqual([])
})

test('an unknown request is written down as failed, uncharged and uncounted', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = requestOf(payer)
  expect(await settle(db.pool, [request])).toEqual([{ status: 500, units: 0, credits: 0, balance: 10 }])
  expect(await settle(db.pool, [request, voided(request)])).toEqual(Array.from({ length: 2 }, () => ({ status: 500, units: 0, credits: 0, balance: 10 })))
  expect(await logOf(db.pool, payer)).toEqual([{ id: request.id, key_id: payer.keyId, status: 500, error: 17, units: 0, credits: 0, balance: 10 }])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
})

test('a batch that lingers behind the settlement of one of its requests fails as a whole', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const batch = [requestOf(payer), requestOf(other), requestOf(payer)]
  await settle(db.pool, batch.slice(0, 1))
  await expect(admit(db.pool, batch)).rejects.toThrow(/request_log.*_pkey/)
  expect(await countersOf(db.pool, other)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
  expect(await logOf(db.pool, other)).toEqual([])
})

test('the settlement waits for a batch that is about to commit, and finds its charge', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = requestOf(payer)
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
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 })
})

test('a charge that nobody was told of is given back once, with an entry, cap and idempotency key', async () => {
  const payer = await makePayer(db.pool, { credits: 10, spendCap: 6 })
  const idempotency = { key: 'again', request: 'aa' }
  const request = requestOf(payer, { price: 2, units: 3, idempotency })
  await admit(db.pool, [request])
  for (let round = 0; round < 3; round++) expect(await settle(db.pool, [voided(request)])).toMatchObject([{ status: 500, units: 0, credits: 0 }])
  expect(await reversalsOf(payer)).toEqual([{ kind: 'reversal', credits: 6, balanceAfter: 10, reference: request.id }])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 10, dayUsed: 1, minuteUsed: 1, monthSpent: 0 })
  // The row stays as it was written; the same key buys again, for the cap is whole again.
  expect((await logOf(db.pool, payer)).map(({ status, credits }) => [status, credits])).toEqual([[200, 6]])
  expect(verdictsOf(await admit(db.pool, [requestOf(payer, { price: 2, units: 3, idempotency })]))).toEqual([0])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 4, monthSpent: 6 })
})

test('giving back twice at the same time gives back once', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = requestOf(payer, { price: 5 })
  await admit(db.pool, [request])
  await Promise.all(Array.from({ length: 8 }, () => settle(db.pool, [voided(request), voided(request)])))
  expect(await reversalsOf(payer)).toHaveLength(1)
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 })
})

test('giving back a charge of an earlier month leaves the cap of this month alone', async () => {
  const payer = await makePayer(db.pool, { credits: 20, spendCap: 10 })
  const request = requestOf(payer, { price: 4 })
  await admit(db.pool, [request])
  // As if the month had ended since: the counter was taken over by a charge of the new month.
  await db.pool.query('UPDATE key_meter SET month = month - 1 WHERE key_id = $1', [payer.keyId])
  await settle(db.pool, [voided(request)])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 20, monthSpent: 4 })
})

test('giving back in this month what was charged in the last one leaves the cap of this month alone', async () => {
  const payer = await makePayer(db.pool, { credits: 20, spendCap: 10 })
  const request = requestOf(payer)
  // As if the charge lay before the end of the month: its row is of last month, the counter of this one.
  await db.pool.query(
    `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
     VALUES ($1, $2, $3, 16, now() - interval '32 days', 4, 4, 9, 200, 0)`,
    [request.id, payer.accountId, payer.keyId],
  )
  await db.pool.query('UPDATE wallet SET balance = balance - 4 WHERE account_id = $1', [payer.accountId])
  await admit(db.pool, [requestOf(payer, { price: 3 })])
  await settle(db.pool, [voided(request)])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 17, monthSpent: 3 })
})

test('one settlement of many accounts, in whatever order, is decided request by request', async () => {
  const first = await makePayer(db.pool, { credits: 10 })
  const second = await addKey(db.pool, first.account)
  const stranger = await makePayer(db.pool, { credits: 10 })
  const charged = [stranger, first, second, stranger].map((payer) => requestOf(payer, { price: 2 }))
  await admit(db.pool, charged)
  const unknown = requestOf(second)
  const [a, b, c, d] = charged
  if (!(a && b && c && d)) throw new Error('Four requests were made.')
  expect(await settle(db.pool, [c, voided(d), unknown, voided(b), a])).toEqual([
    { status: 200, units: 1, credits: 2, balance: 6 },
    { status: 500, units: 0, credits: 0, balance: 8 },
    { status: 500, units: 0, credits: 0, balance: 6 },
    { status: 500, units: 0, credits: 0, balance: 8 },
    { status: 200, units: 1, credits: 2, balance: 8 },
  ])
  expect((await verifyLedger(db.pool)).differences).toEqual([])
})
