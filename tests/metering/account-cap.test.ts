/** Tests the account-wide spend cap as enforced by the SQL functions. */
import { expect, test } from 'vitest'
import {
  accountSpent,
  addKey,
  admit,
  buildRequest,
  makePayer,
  meteringDatabase,
  type Payer,
  readCounters,
  readLog,
  repeatRequest,
  settle,
  toVerdicts,
} from './statement.ts'

const db = meteringDatabase()
test('truncates a list at the account cap shared by all keys, then rejects further paid calls', async () => {
  const first = await makePayer(db.pool, { credits: 100, accountCap: 7 })
  const second = await addKey(db.pool, first.account, { spendCap: 3 })
  const visitor = await makePayer(db.pool, { credits: 100 })
  const ask = (payer: Payer) => buildRequest(payer, { price: 2, units: 2 })
  const outcomes = await admit(db.pool, [ask(second), ask(second), ask(first), ask(first), buildRequest(first), buildRequest(first), ask(visitor)])
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 1, 2],
    [6, 0, 0],
    [0, 2, 4],
    [10, 0, 0],
    [0, 1, 1],
    [10, 0, 0],
    [0, 2, 4],
  ])
  expect(await readCounters(db.pool, first)).toMatchObject({ balance: 93, monthSpent: 5 })
  expect([await accountSpent(db.pool, first), await accountSpent(db.pool, visitor)]).toEqual([7, 4])
  expect((await readLog(db.pool, first)).filter(({ status, error }) => status === 402 && error === 4)).toHaveLength(3)
  // The next batch takes this spend into account. Free calls still succeed, and a cap of 0 blocks every paid call.
  expect(toVerdicts(await admit(db.pool, [buildRequest(first), buildRequest(first, { price: 0 })]))).toEqual([10, 0])
  expect(toVerdicts(await admit(db.pool, [buildRequest(await makePayer(db.pool, { accountCap: 0 }))]))).toEqual([10])
})

test('reports the key cap first, then the account cap, then the maximum set by the call', async () => {
  const whole = await makePayer(db.pool, { credits: 100, accountCap: 1 })
  const both = await makePayer(db.pool, { credits: 100, spendCap: 1, accountCap: 1 })
  const poor = await makePayer(db.pool, { credits: 1, accountCap: 1 })
  const outcomes = await admit(db.pool, [buildRequest(whole, { price: 5, ceiling: 1 }), buildRequest(both, { price: 5 }), buildRequest(poor, { price: 5 })])
  expect(toVerdicts(outcomes)).toEqual([10, 6, 5])
})

test('resets the account cap each calendar month', async () => {
  const payer = await makePayer(db.pool, { credits: 100, accountCap: 3 })
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer, { price: 2 })))).toEqual([0, 10])
  await db.pool.query('UPDATE wallet SET month = month - 1, month_seen = month_seen - 1 WHERE account_id = $1', [payer.accountId])
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer, { price: 2 })))).toEqual([0, 10])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 96, monthSpent: 4 })
  expect(await accountSpent(db.pool, payer)).toBe(2)
})

test('serves a replay even if the cap is used up, and does not count it', async () => {
  const payer = await makePayer(db.pool, { credits: 100, accountCap: 5 })
  const ask = () => buildRequest(payer, { units: 5, idempotency: { key: 'once', request: 'aa' } })
  expect(toVerdicts(await admit(db.pool, [ask(), ask(), buildRequest(payer)]))).toEqual([0, 8, 10])
  expect(await accountSpent(db.pool, payer)).toBe(5)
})

test('deducts a reversed charge once, from the spend of the month in which it was made', async () => {
  const payer = await makePayer(db.pool, { credits: 20, accountCap: 10 })
  const [lost, kept] = [buildRequest(payer, { price: 6 }), buildRequest(payer, { price: 4 })]
  expect(toVerdicts(await admit(db.pool, [lost, kept, buildRequest(payer)]))).toEqual([0, 0, 10])
  for (let round = 0; round < 3; round++) await settle(db.pool, [{ ...lost, isVoid: true }])
  expect(await accountSpent(db.pool, payer)).toBe(4)
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer, { price: 6 })))).toEqual([0, 10])
  // Simulates a new month: the counter no longer belongs to the month of the charge.
  await db.pool.query('UPDATE wallet SET month = month - 1, month_seen = month_seen - 1 WHERE account_id = $1', [payer.accountId])
  await settle(db.pool, [{ ...kept, isVoid: true }])
  expect(await accountSpent(db.pool, payer)).toBe(10)
})
