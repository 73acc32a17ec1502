import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountSpent, addKey, admit, countersOf, logOf, makePayer, meteringDatabase, type Payer, requestOf, settle, timesOf, verdictsOf } from './statement.ts'

/** What the keys of an account may spend together in a month, as the statements see it. */
const db = meteringDatabase()
test('spend cap of the account: all its keys share it, it cuts, then refuses with a verdict of its own', async () => {
  const first = await makePayer(db.pool, { credits: 100, accountCap: 7 })
  const second = await addKey(db.pool, first.account, { spendCap: 3 })
  const stranger = await makePayer(db.pool, { credits: 100 })
  const ask = (payer: Payer) => requestOf(payer, { price: 2, units: 2 })
  const outcomes = await admit(db.pool, [ask(second), ask(second), ask(first), ask(first), requestOf(first), requestOf(first), ask(stranger)])
  expect(outcomes.map(({ verdict, units, credits }) => [verdict, units, credits])).toEqual([
    [0, 1, 2],
    [6, 0, 0],
    [0, 2, 4],
    [10, 0, 0],
    [0, 1, 1],
    [10, 0, 0],
    [0, 2, 4],
  ])
  expect(await countersOf(db.pool, first)).toMatchObject({ balance: 93, monthSpent: 5 })
  expect([await accountSpent(db.pool, first), await accountSpent(db.pool, stranger)]).toEqual([7, 4])
  expect((await logOf(db.pool, first)).filter(({ status, error }) => status === 402 && error === 4)).toHaveLength(3)
  // The next batch knows it as well, what is free stays free, and a cap of 0 stops everything that costs.
  expect(verdictsOf(await admit(db.pool, [requestOf(first), requestOf(first, { price: 0 })]))).toEqual([10, 0])
  expect(verdictsOf(await admit(db.pool, [requestOf(await makePayer(db.pool, { accountCap: 0 }))]))).toEqual([10])
})

test('the refusal names the cap of the key before that of the account, and either before the ceiling of the call', async () => {
  const whole = await makePayer(db.pool, { credits: 100, accountCap: 1 })
  const both = await makePayer(db.pool, { credits: 100, spendCap: 1, accountCap: 1 })
  const poor = await makePayer(db.pool, { credits: 1, accountCap: 1 })
  const outcomes = await admit(db.pool, [requestOf(whole, { price: 5, ceiling: 1 }), requestOf(both, { price: 5 }), requestOf(poor, { price: 5 })])
  expect(verdictsOf(outcomes)).toEqual([10, 6, 5])
})

test('the cap of an account is whole again in the next calendar month, and not before', async () => {
  const payer = await makePayer(db.pool, { credits: 100, accountCap: 3 })
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer, { price: 2 })))).toEqual([0, 10])
  await db.pool.query('UPDATE wallet SET month = month - 1, month_seen = month_seen - 1 WHERE account_id = $1', [payer.accountId])
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer, { price: 2 })))).toEqual([0, 10])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 96, monthSpent: 4 })
  expect(await accountSpent(db.pool, payer)).toBe(2)
})

test('a replay counts nothing towards the cap, and is answered when the cap is used up', async () => {
  const payer = await makePayer(db.pool, { credits: 100, accountCap: 5 })
  const ask = () => requestOf(payer, { units: 5, idempotency: { key: 'once', request: 'aa' } })
  expect(verdictsOf(await admit(db.pool, [ask(), ask(), requestOf(payer)]))).toEqual([0, 8, 10])
  expect(await accountSpent(db.pool, payer)).toBe(5)
})

test('what is given back leaves what the account has spent, once and in its own month only', async () => {
  const payer = await makePayer(db.pool, { credits: 20, accountCap: 10 })
  const [lost, kept] = [requestOf(payer, { price: 6 }), requestOf(payer, { price: 4 })]
  expect(verdictsOf(await admit(db.pool, [lost, kept, requestOf(payer)]))).toEqual([0, 0, 10])
  for (let round = 0; round < 3; round++) await settle(db.pool, [{ ...lost, isVoid: true }])
  expect(await accountSpent(db.pool, payer)).toBe(4)
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer, { price: 6 })))).toEqual([0, 10])
  // As if the month had ended since: the counter was taken over by a charge of the new month.
  await db.pool.query('UPDATE wallet SET month = month - 1, month_seen = month_seen - 1 WHERE account_id = $1', [payer.accountId])
  await settle(db.pool, [{ ...kept, isVoid: true }])
  expect(await accountSpent(db.pool, payer)).toBe(10)
})

test('a cap that is set after the migration counts what the month had spent before it', async () => {
  const migration = readFileSync(new URL('../../prisma/migrations/20261121001300_account_cap/migration.sql', import.meta.url), 'utf8')
  const [countUp = ''] = /^UPDATE wallet w [\s\S]*?;$/m.exec(migration) ?? []
  const payer = await makePayer(db.pool)
  const second = await addKey(db.pool, payer.account)
  const [lost, kept, other] = [requestOf(payer, { price: 6 }), requestOf(payer, { price: 4 }), requestOf(second, { price: 3 })]
  await admit(db.pool, [lost, kept, other])
  await settle(db.pool, [{ ...lost, isVoid: true }])
  await db.pool.query('UPDATE wallet SET month = 0, month_spent = 0')
  await db.pool.query(countUp)
  expect(await accountSpent(db.pool, payer)).toBe(7)
})
