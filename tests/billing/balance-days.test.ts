import { expect, test } from 'vitest'
import { addKey, admit, buildRequest } from '../metering/statement.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'

const fixture = new BillingFixture()

test('derives the balance of each day from its movements, ending with the current balance', async () => {
  const account = await fixture.account({ credits: 100 })
  const payer = await addKey(fixture.pool, account)
  await fixture.pool.query("INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date - 1, k.id, 3, 200, 4, 20 FROM api_key k WHERE account_id = $1", [
    account.id,
  ])
  await admit(fixture.pool, [buildRequest(payer, { price: 8 })])
  await fixture.topUp(account, 500)
  const days = await getPortal(fixture.deps(), account).billing.balanceDays()
  expect(days).toHaveLength(30)
  // Yesterday's charge of 20 credits is recorded only in the daily totals, which are used to calculate the previous day's balance.
  expect(days.slice(-3).map(({ balanceCredits }) => balanceCredits)).toEqual([20, 0, 142])
  expect(days.at(-1)).toMatchObject({ day: new Date().toISOString().slice(0, 10), movedCredits: 142, addedCredits: 150, toppedUpCredits: 50 })
})

test('returns zero for every day of an account without credits', async () => {
  const account = await fixture.account({ credits: 0 })
  const days = await getPortal(fixture.deps(), account).billing.balanceDays()
  expect(new Set(days.map(({ balanceCredits }) => balanceCredits))).toEqual(new Set([0]))
})
