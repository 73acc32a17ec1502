import { expect, test } from 'vitest'
import { errors } from '#server/api/contract/errors.ts'
import { verifies } from '../requirements/verifies.ts'
import { addKey, admit, countersOf, logOf, makePayer, meteringDatabase, requestOf, serviceVersion, timesOf, verdictsOf } from './statement.ts'

const db = meteringDatabase()

test('granted: the balance, the counters and the row say the same', async () => {
  const payer = await makePayer(db.pool, { credits: 10, perMinute: 7, perDay: 9 })
  const request = requestOf(payer, { price: 2, units: 3 })
  const before = Date.now()
  const [outcome] = await admit(db.pool, [request])
  expect(outcome).toMatchObject({ verdict: 0, units: 3, credits: 6, balance: 4, minuteLimit: 7, minuteLeft: 6, dayLimit: 9, dayLeft: 8 })
  expect(outcome?.serviceVersion).toBe(await serviceVersion(db.pool))
  expect(Math.abs((outcome?.now ?? 0) - before)).toBeLessThan(5_000)
  expect(await logOf(db.pool, payer)).toEqual([{ id: request.id, key_id: payer.keyId, status: 200, error: 0, units: 3, credits: 6, balance: 4 }])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 1, monthSpent: 6 })
})

test.each([
  ['the account', { accountVersion: 2 }],
  ['the key', { keyVersion: 2 }],
  ['an account that is not there', { accountId: 999_999_999 }],
  ['a key that is not there', { keyId: 999_999_999 }],
])('stale by %s: nothing is charged, counted or logged, and the rest of the batch is decided', async (_, changes) => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const outcomes = await admit(db.pool, [requestOf(payer, changes), requestOf(other)])
  expect(verdictsOf(outcomes)).toEqual([1, 0])
  expect(outcomes[0]).toMatchObject({ units: 0, credits: 0 })
  expect(await logOf(db.pool, payer)).toEqual([])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 10, dayUsed: 0, minuteUsed: 0, monthSpent: 0 })
  expect(await countersOf(db.pool, other)).toMatchObject({ balance: 9 })
})

test('stale by the key of another account: nobody pays for a key that is not theirs', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  expect(verdictsOf(await admit(db.pool, [requestOf(payer, { accountId: other.accountId })]))).toEqual([1])
  expect(await countersOf(db.pool, other)).toMatchObject({ balance: 10, dayUsed: 0 })
})

test('stale by the service version: the whole batch, and the answer names the present one', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const present = await serviceVersion(db.pool)
  const outcomes = await admit(db.pool, timesOf(2, payer), present - 1)
  expect(verdictsOf(outcomes)).toEqual([1, 1])
  expect(outcomes[0]?.serviceVersion).toBe(present)
  expect(await logOf(db.pool, payer)).toEqual([])
})

test('ended: refused from that moment on, not before, and not logged until it is refused for good', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query("UPDATE key_meter SET ends_at = clock_timestamp() + interval '1 hour' WHERE key_id = $1", [payer.keyId])
  expect(verdictsOf(await admit(db.pool, [requestOf(payer)]))).toEqual([0])
  await db.pool.query('UPDATE key_meter SET ends_at = clock_timestamp() WHERE key_id = $1', [payer.keyId])
  expect(verdictsOf(await admit(db.pool, [requestOf(payer)]))).toEqual([2])
  expect(await logOf(db.pool, payer)).toHaveLength(1)
  // The gateway knows it by now: it asks to have the refusal logged.
  expect(verdictsOf(await admit(db.pool, [requestOf(payer, { stage: 2, status: 403, error: 5, price: 0, units: 0 })]))).toEqual([0])
  expect((await logOf(db.pool, payer)).find(({ status }) => status === 403)).toMatchObject({ error: 5, credits: 0, units: 0 })
})

test('the ending of a key comes before its limits, the limits before the balance', async () => {
  const payer = await makePayer(db.pool, { credits: 0, perMinute: 1, perDay: 1 })
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer)))).toEqual([5, 3])
  await db.pool.query('UPDATE key_meter SET ends_at = clock_timestamp() WHERE key_id = $1', [payer.keyId])
  expect(verdictsOf(await admit(db.pool, [requestOf(payer)]))).toEqual([2])
})

test('insufficient credits: a fixed price whole or not at all, a list down to one row', async () => {
  const payer = await makePayer(db.pool, { credits: 7 })
  const outcomes = await admit(db.pool, [requestOf(payer, { price: 8 }), requestOf(payer, { price: 2, units: 10 }), requestOf(payer, { price: 2, units: 10 })])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [5, 0, 0, 7],
    [0, 3, 6, 1],
    [5, 0, 0, 1],
  ])
  expect((await logOf(db.pool, payer)).map(({ status, error, credits }) => [status, error, credits]).toSorted()).toEqual([
    [200, 0, 6],
    [402, 4, 0],
    [402, 4, 0],
  ])
})

test('spend cap: cuts, then refuses with a verdict of its own', async () => {
  const payer = await makePayer(db.pool, { credits: 100, spendCap: 5 })
  const outcomes = await admit(db.pool, timesOf(3, payer, { price: 2, units: 2 }))
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 2, 4],
    [6, 0, 0],
    [6, 0, 0],
  ])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 96, dayUsed: 3, minuteUsed: 3, monthSpent: 4 })
})

test('ceiling of the call: cuts a list, refuses a fixed price, and 0 refuses all that costs', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const ask = (price: number, units: number, ceiling: number) => requestOf(payer, { price, units, ceiling })
  const outcomes = await admit(db.pool, [ask(2, 10, 5), ask(5, 1, 4), ask(1, 1, 0), ask(0, 1, 0), ask(1, 50, 999_999_999)])
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 2, 4],
    [7, 0, 0],
    [7, 0, 0],
    [0, 1, 0],
    [0, 50, 50],
  ])
})

test('the refusal names the tightest of what the caller can change: balance before cap before ceiling', async () => {
  const poor = await makePayer(db.pool, { credits: 1, spendCap: 1 })
  const capped = await makePayer(db.pool, { credits: 100, spendCap: 1 })
  const outcomes = await admit(db.pool, [requestOf(poor, { price: 5, ceiling: 1 }), requestOf(capped, { price: 5, ceiling: 1 })])
  expect(verdictsOf(outcomes)).toEqual([5, 6])
})

test('a list without rows costs nothing when a row could be paid, and is refused when not', async () => {
  const payer = await makePayer(db.pool, { credits: 2 })
  const broke = await makePayer(db.pool, { credits: 1 })
  const outcomes = await admit(db.pool, [requestOf(payer, { price: 2, units: 0 }), requestOf(broke, { price: 2, units: 0 })])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 0, 0, 2],
    [5, 0, 0, 1],
  ])
})

test('a balance below zero buys nothing, answers free requests and shows itself', async () => {
  const payer = await makePayer(db.pool, { credits: 3 })
  await db.pool.query('UPDATE wallet SET balance = -7 WHERE account_id = $1', [payer.accountId])
  const outcomes = await admit(db.pool, [requestOf(payer), requestOf(payer, { price: 0 }), requestOf(payer, { price: 10, units: 5, ceiling: 1_000 })])
  expect(outcomes.map(({ verdict, credits, balance }) => [verdict, credits, balance])).toEqual([
    [5, 0, -7],
    [0, 0, -7],
    [5, 0, -7],
  ])
})

test('requests of a batch are decided in their order, whatever keys and accounts stand between them', async () => {
  const first = await makePayer(db.pool, { credits: 3 })
  const second = await addKey(db.pool, first.account, { spendCap: 1 })
  const stranger = await makePayer(db.pool, { credits: 1 })
  const batch = [second, first, stranger, second, first, stranger, first].map((payer) => requestOf(payer))
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
  expect(await countersOf(db.pool, first)).toEqual({ balance: 0, dayUsed: 5, minuteUsed: 3, monthSpent: 2 })
  expect(await countersOf(db.pool, second)).toEqual({ balance: 0, dayUsed: 5, minuteUsed: 2, monthSpent: 1 })
})

test('a test key in a batch of live keys: counted and logged, outside the day, never charged', async () => {
  const live = await makePayer(db.pool, { credits: 5, perDay: 1 })
  const sample = await addKey(db.pool, live.account, { mode: 'test' })
  const outcomes = await admit(db.pool, [requestOf(live), ...timesOf(11, sample, { price: 0, units: 3 }), requestOf(live)])
  expect(verdictsOf(outcomes)).toEqual([0, ...Array.from({ length: 10 }, () => 0), 3, 4])
  expect(outcomes[1]).toMatchObject({ units: 3, credits: 0, balance: 4, minuteLimit: 10, minuteLeft: 9 })
  expect(await countersOf(db.pool, sample)).toEqual({ balance: 4, dayUsed: 1, minuteUsed: 10, monthSpent: 0 })
})

verifies('limits/daily-cap-shared-by-account', 'the statement counts one day for all live keys of an account', async () => {
  const first = await makePayer(db.pool, { credits: 100, perDay: 3 })
  const second = await addKey(db.pool, first.account)
  const outcomes = await admit(
    db.pool,
    [first, second, first, second, first].map((payer) => requestOf(payer)),
  )
  expect(verdictsOf(outcomes)).toEqual([0, 0, 0, 4, 4])
  expect(outcomes.map(({ dayLeft }) => dayLeft)).toEqual([2, 1, 0, 0, 0])
})

verifies('decision/429-never-extends-wait', 'the statement counts no request that is over a limit, and logs every one', async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2 })
  const outcomes = await admit(db.pool, timesOf(5, payer))
  expect(verdictsOf(outcomes)).toEqual([0, 0, 3, 3, 3])
  expect(outcomes.map(({ minuteLeft }) => minuteLeft)).toEqual([1, 0, 0, 0, 0])
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 98, dayUsed: 2, minuteUsed: 2, monthSpent: 2 })
  const log = await logOf(db.pool, payer)
  expect(log.filter(({ status, error, credits }) => status === 429 && error === 16 && credits === 0)).toHaveLength(3)
})

test('an early refusal is counted up to the limit and never turned into a 429', async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2, perDay: 3 })
  const early = { stage: 1, status: 403, error: 11, price: 0, units: 0 } as const
  const outcomes = await admit(db.pool, [...timesOf(4, payer, early), requestOf(payer)])
  expect(verdictsOf(outcomes)).toEqual([0, 0, 0, 0, 3])
  expect(outcomes.map(({ minuteLeft, dayLeft }) => [minuteLeft, dayLeft])).toEqual([
    [1, 2],
    [0, 1],
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  expect((await logOf(db.pool, payer)).map(({ status }) => status).toSorted()).toEqual([403, 403, 403, 403, 429])
})

test('a refusal of who may be a stranger is logged, and uses up nothing of what the owner has', async () => {
  const payer = await makePayer(db.pool, { credits: 100, perMinute: 2, perDay: 2 })
  const strange = { stage: 2, status: 403, error: 8, price: 0, units: 0 } as const
  const outcomes = await admit(db.pool, [...timesOf(3, payer, strange), requestOf(payer), ...timesOf(1, payer, strange)])
  expect(outcomes.map(({ verdict, minuteLeft, dayLeft, credits, balance }) => [verdict, minuteLeft, dayLeft, credits, balance])).toEqual([
    [0, 2, 2, 0, 100],
    [0, 2, 2, 0, 100],
    [0, 2, 2, 0, 100],
    [0, 1, 1, 1, 99],
    [0, 1, 1, 0, 99],
  ])
  expect((await logOf(db.pool, payer)).filter(({ status, error }) => status === 403 && error === 8)).toHaveLength(4)
})

test('an early refusal does not shrink a counter that a lowered limit has left behind', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  await admit(db.pool, timesOf(5, payer, { price: 0 }))
  await db.pool.query('UPDATE wallet SET minute_limit = 2, day_limit = 2 WHERE account_id = $1', [payer.accountId])
  const [outcome] = await admit(db.pool, [requestOf(payer, { stage: 1, status: 404, error: 15, price: 0, units: 0 })])
  expect(outcome).toMatchObject({ verdict: 0, dayLeft: -3 })
  expect(await countersOf(db.pool, payer)).toMatchObject({ dayUsed: 5 })
})

test('the numbers that the statement writes into the log are those of the error table', () => {
  expect([errors.invalid_request.no, errors.insufficient_credits.no, errors.rate_limited.no, errors.internal_error.no]).toEqual([1, 4, 16, 17])
})
