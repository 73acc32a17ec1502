import { expect, test } from 'vitest'
import { errors } from '#server/api/contract/errors.ts'
import { verifies } from '../requirements/verifies.ts'
import { addKey, admit, buildRequest, makePayer, meteringDatabase, readCounters, readLog, repeatRequest, serviceVersion, toVerdicts } from './statement.ts'

const db = meteringDatabase()

test('updates balance, counters and log consistently for a granted call', async () => {
  const payer = await makePayer(db.pool, { credits: 10, perMinute: 7, perDay: 9 })
  const request = buildRequest(payer, { price: 2, units: 3 })
  const before = Date.now()
  const [outcome] = await admit(db.pool, [request])
  expect(outcome).toMatchObject({ verdict: 0, units: 3, credits: 6, balance: 4, minuteLimit: 7, minuteLeft: 6, dayLimit: 9, dayLeft: 8 })
  expect(outcome?.serviceVersion).toBe(await serviceVersion(db.pool))
  expect(Math.abs((outcome?.now ?? 0) - before)).toBeLessThan(5_000)
  expect(await readLog(db.pool, payer)).toEqual([{ id: request.id, key_id: payer.keyId, status: 200, error: 0, units: 3, credits: 6, balance: 4 }])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 1, monthSpent: 6 })
})

test.each([
  ['an outdated account version', { accountVersion: 2 }],
  ['an outdated key version', { keyVersion: 2 }],
  ['an unknown account', { accountId: 999_999_999 }],
  ['an unknown key', { keyId: 999_999_999 }],
])('treats %s as stale: charges, counts and logs nothing, but processes the rest of the batch', async (_, changes) => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const outcomes = await admit(db.pool, [buildRequest(payer, changes), buildRequest(other)])
  expect(toVerdicts(outcomes)).toEqual([1, 0])
  expect(outcomes[0]).toMatchObject({ units: 0, credits: 0 })
  expect(await readLog(db.pool, payer)).toEqual([])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
  expect(await readCounters(db.pool, other)).toMatchObject({ balance: 9 })
})

test("treats another account's key as stale, and charges nobody", async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer, { accountId: other.accountId })]))).toEqual([1])
  expect(await readCounters(db.pool, other)).toMatchObject({ balance: 10, dayUsed: 0 })
})

test('treats every request as stale if the service version is stale, and returns the current version', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const present = await serviceVersion(db.pool)
  const outcomes = await admit(db.pool, repeatRequest(2, payer), present - 1)
  expect(toVerdicts(outcomes)).toEqual([1, 1])
  expect(outcomes[0]?.serviceVersion).toBe(present)
  expect(await readLog(db.pool, payer)).toEqual([])
})

test('rejects a key from its end time onwards, but logs only the rejections that the gateway reports', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query("UPDATE key_meter SET ends_at = clock_timestamp() + interval '1 hour' WHERE key_id = $1", [payer.keyId])
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer)]))).toEqual([0])
  await db.pool.query('UPDATE key_meter SET ends_at = clock_timestamp() WHERE key_id = $1', [payer.keyId])
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer)]))).toEqual([2])
  expect(await readLog(db.pool, payer)).toHaveLength(1)
  // The gateway has now cached the end of the key, so it rejects the call itself and sends the rejection only to be logged.
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer, { stage: 2, status: 403, error: 5, price: 0, units: 0 })]))).toEqual([0])
  expect((await readLog(db.pool, payer)).find(({ status }) => status === 403)).toMatchObject({ error: 5, credits: 0, units: 0 })
})

test('checks the end time of a key before its limits, and limits before the balance', async () => {
  const payer = await makePayer(db.pool, { credits: 0, perMinute: 1, perDay: 1 })
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer)))).toEqual([5, 3])
  await db.pool.query('UPDATE key_meter SET ends_at = clock_timestamp() WHERE key_id = $1', [payer.keyId])
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer)]))).toEqual([2])
})

test('rejects a fixed price above the balance, and truncates a list to the rows that the balance covers', async () => {
  const payer = await makePayer(db.pool, { credits: 7 })
  const outcomes = await admit(db.pool, [
    buildRequest(payer, { price: 8 }),
    buildRequest(payer, { price: 2, units: 10 }),
    buildRequest(payer, { price: 2, units: 10 }),
  ])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [5, 0, 0, 7],
    [0, 3, 6, 1],
    [5, 0, 0, 1],
  ])
  expect((await readLog(db.pool, payer)).map(({ status, error, credits }) => [status, error, credits]).toSorted()).toEqual([
    [200, 0, 6],
    [402, 4, 0],
    [402, 4, 0],
  ])
})

test('truncates a list at the spend cap, then rejects further paid calls', async () => {
  const payer = await makePayer(db.pool, { credits: 100, spendCap: 5 })
  const outcomes = await admit(db.pool, repeatRequest(3, payer, { price: 2, units: 2 }))
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 2, 4],
    [6, 0, 0],
    [6, 0, 0],
  ])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 96, dayUsed: 3, minuteUsed: 3, monthSpent: 4 })
})

test('truncates a list at the ceiling, and rejects a fixed price above it', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const ask = (price: number, units: number, ceiling: number) => buildRequest(payer, { price, units, ceiling })
  const outcomes = await admit(db.pool, [ask(2, 10, 5), ask(5, 1, 4), ask(1, 1, 0), ask(0, 1, 0), ask(1, 50, 999_999_999)])
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 2, 4],
    [7, 0, 0],
    [7, 0, 0],
    [0, 1, 0],
    [0, 50, 50],
  ])
})

test('reports the first limit exceeded, in the order balance, cap, ceiling', async () => {
  const poor = await makePayer(db.pool, { credits: 1, spendCap: 1 })
  const capped = await makePayer(db.pool, { credits: 100, spendCap: 1 })
  const outcomes = await admit(db.pool, [buildRequest(poor, { price: 5, ceiling: 1 }), buildRequest(capped, { price: 5, ceiling: 1 })])
  expect(toVerdicts(outcomes)).toEqual([5, 6])
})

test('grants an empty list for free if the balance covers one row, and rejects it otherwise', async () => {
  const payer = await makePayer(db.pool, { credits: 2 })
  const broke = await makePayer(db.pool, { credits: 1 })
  const outcomes = await admit(db.pool, [buildRequest(payer, { price: 2, units: 0 }), buildRequest(broke, { price: 2, units: 0 })])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 0, 0, 2],
    [5, 0, 0, 1],
  ])
})

test('with a negative balance, rejects paid calls and serves free ones', async () => {
  const payer = await makePayer(db.pool, { credits: 3 })
  await db.pool.query('UPDATE wallet SET balance = -7 WHERE account_id = $1', [payer.accountId])
  const outcomes = await admit(db.pool, [buildRequest(payer), buildRequest(payer, { price: 0 }), buildRequest(payer, { price: 10, units: 5, ceiling: 1_000 })])
  expect(outcomes.map(({ verdict, credits, balance }) => [verdict, credits, balance])).toEqual([
    [5, 0, -7],
    [0, 0, -7],
    [5, 0, -7],
  ])
})

test('grants or rejects the requests of a batch in order, across keys and accounts', async () => {
  const first = await makePayer(db.pool, { credits: 3 })
  const second = await addKey(db.pool, first.account, { spendCap: 1 })
  const visitor = await makePayer(db.pool, { credits: 1 })
  const batch = [second, first, visitor, second, first, visitor, first].map((payer) => buildRequest(payer))
  const outcomes = await admit(db.pool, batch)
  expect(outcomes.map(({ verdict, balance }) => [verdict, balance])).toEqual([
    [0, 2],
    [0, 1],
    [0, 0],
    [6, 1],
    [0, 0],
    [5, 0],
    [5, 0],
  ])
  expect(await readCounters(db.pool, first)).toEqual({ balance: 0, dayUsed: 5, minuteUsed: 3, monthSpent: 2 })
  expect(await readCounters(db.pool, second)).toEqual({ balance: 0, dayUsed: 5, minuteUsed: 2, monthSpent: 1 })
})

test('logs calls with a test key in a batch of live keys, but does not charge them or count them towards the daily limit', async () => {
  const live = await makePayer(db.pool, { credits: 5, perDay: 1 })
  const sample = await addKey(db.pool, live.account, { mode: 'test' })
  const outcomes = await admit(db.pool, [buildRequest(live), ...repeatRequest(11, sample, { price: 0, units: 3 }), buildRequest(live)])
  expect(toVerdicts(outcomes)).toEqual([0, ...Array.from({ length: 10 }, () => 0), 3, 4])
  expect(outcomes[1]).toMatchObject({ units: 3, credits: 0, balance: 4, minuteLimit: 10, minuteLeft: 9 })
  expect(await readCounters(db.pool, sample)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 10, monthSpent: 0 })
})

verifies('limits/daily-cap-shared-by-account', 'shares one daily limit among all live keys of an account', async () => {
  const first = await makePayer(db.pool, { credits: 100, perDay: 3 })
  const second = await addKey(db.pool, first.account)
  const outcomes = await admit(
    db.pool,
    [first, second, first, second, first].map((payer) => buildRequest(payer)),
  )
  expect(toVerdicts(outcomes)).toEqual([0, 0, 0, 4, 4])
  expect(outcomes.map(({ dayLeft }) => dayLeft)).toEqual([2, 1, 0, 0, 0])
})

verifies('decision/429-never-extends-wait', 'does not count calls over a limit, but logs each of them', async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2 })
  const outcomes = await admit(db.pool, repeatRequest(5, payer))
  expect(toVerdicts(outcomes)).toEqual([0, 0, 3, 3, 3])
  expect(outcomes.map(({ minuteLeft }) => minuteLeft)).toEqual([1, 0, 0, 0, 0])
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 98, dayUsed: 2, minuteUsed: 2, monthSpent: 2 })
  const log = await readLog(db.pool, payer)
  expect(log.filter(({ status, error, credits }) => status === 429 && error === 16 && credits === 0)).toHaveLength(3)
})

test('counts early gateway rejections until the limit is reached, and never turns one into a 429', async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2, perDay: 3 })
  const early = { stage: 1, status: 403, error: 11, price: 0, units: 0 } as const
  const outcomes = await admit(db.pool, [...repeatRequest(4, payer, early), buildRequest(payer)])
  expect(toVerdicts(outcomes)).toEqual([0, 0, 0, 0, 3])
  expect(outcomes.map(({ minuteLeft, dayLeft }) => [minuteLeft, dayLeft])).toEqual([
    [1, 2],
    [0, 1],
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  expect((await readLog(db.pool, payer)).map(({ status }) => status).toSorted()).toEqual([403, 403, 403, 403, 429])
})

test("logs rejections of callers who may not own the key, without using up the key's limits", async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2, perDay: 2 })
  const strange = { stage: 2, status: 403, error: 8, price: 0, units: 0 } as const
  const outcomes = await admit(db.pool, [...repeatRequest(3, payer, strange), buildRequest(payer), ...repeatRequest(1, payer, strange)])
  expect(outcomes.map(({ verdict, minuteLeft, dayLeft, credits, balance }) => [verdict, minuteLeft, dayLeft, credits, balance])).toEqual([
    [0, 2, 2, 0, 100],
    [0, 2, 2, 0, 100],
    [0, 2, 2, 0, 100],
    [0, 1, 1, 1, 99],
    [0, 1, 1, 0, 99],
  ])
  expect((await readLog(db.pool, payer)).filter(({ status, error }) => status === 403 && error === 8)).toHaveLength(4)
})

test('an early rejection does not change a counter that already exceeds a lowered limit', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  await admit(db.pool, repeatRequest(5, payer, { price: 0 }))
  await db.pool.query('UPDATE wallet SET minute_limit = 2, day_limit = 2 WHERE account_id = $1', [payer.accountId])
  const [outcome] = await admit(db.pool, [buildRequest(payer, { stage: 1, status: 404, error: 15, price: 0, units: 0 })])
  expect(outcome).toMatchObject({ verdict: 0, dayLeft: -3 })
  expect(await readCounters(db.pool, payer)).toMatchObject({ dayUsed: 5 })
})

test('error numbers match those that the SQL functions log', () => {
  expect([errors.invalid_request.no, errors.insufficient_credits.no, errors.rate_limited.no, errors.internal_error.no]).toEqual([1, 4, 16, 17])
})
