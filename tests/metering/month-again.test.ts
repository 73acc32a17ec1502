/** Tests a month that starts twice because a fast clock is set back: the earlier spend still counts, whether calls or webhook events came first. */
import { expect, test } from 'vitest'
import { rotateKey } from '#server/keys/manage-own-keys.ts'
import { WebhookFixture } from '../webhooks/support/webhook-fixture.ts'
import { accountSpent, addKey, admit, buildRequest, makePayer, type Payer, toVerdicts } from './statement.ts'

const fixture = new WebhookFixture()
const monthMs = 31 * 86_400_000
const ask = (payer: Payer, price: number) => admit(fixture.pool, [buildRequest(payer, { price })])

/** Creates an account with a cap of 100 credits, a webhook endpoint and a key. */
async function capped() {
  fixture.nowMs = Date.now()
  const account = await fixture.account({ credits: 1_000 })
  const payer = await addKey(fixture.pool, account)
  await fixture.pool.query('UPDATE wallet SET month_cap = 100 WHERE account_id = $1', [account.id])
  await fixture.endpoint(account)
  return { account, payer }
}

/** Dates the last call of an account or key a month ahead, as a fast clock would. */
const ahead = (table: 'wallet' | 'key_meter', of: string, id: number) =>
  fixture.pool.query(`UPDATE ${table} SET month = month + 1, month_seen = month + 1, month_spent = 0 WHERE ${of} = $1`, [id])

test("a webhook event adds to the month's spend on calls, even if the clock was temporarily in the next month", async () => {
  const { payer } = await capped()
  expect(toVerdicts(await ask(payer, 85))).toEqual([0])
  for (const step of [monthMs, -monthMs]) {
    fixture.nowMs += step
    await fixture.one()
    expect(await fixture.after(0)).toBe(1)
  }
  // Both events count towards the current month, because the charge uses the database's clock, which did not change.
  expect(await accountSpent(fixture.pool, payer)).toBe(95)
  expect(toVerdicts(await ask(payer, 6))).toEqual([10])
  expect(toVerdicts(await ask(payer, 5))).toEqual([0])
})

test("a call adds to the month's spend on webhook events, even if the clock was temporarily in the next month", async () => {
  const { account, payer } = await capped()
  await fixture.emit({}, {}, {})
  expect(await fixture.after(0)).toBe(3)
  await ahead('wallet', 'account_id', account.id)
  expect(toVerdicts(await ask(payer, 86))).toEqual([10])
  expect(toVerdicts(await ask(payer, 85))).toEqual([0])
  expect(await accountSpent(fixture.pool, payer)).toBe(100)
})

test("a webhook event that is charged later adds to the month's spend, even if the clock was temporarily in the next month", async () => {
  const { account, payer } = await capped()
  expect(toVerdicts(await ask(payer, 90))).toEqual([0])
  await fixture.one()
  await fixture.pool.query("UPDATE webhook_delivery SET is_owed = true, state = 'delivered', delivered_at = now() WHERE account_id = $1", [account.id])
  await ahead('wallet', 'account_id', account.id)
  await fixture.resume()
  expect(await accountSpent(fixture.pool, payer)).toBe(95)
})

test('carries the spend over to the new key after a rotation, with or without an overlap', async () => {
  for (const overlapHours of [0, 24] as const) {
    let payer = await makePayer(fixture.pool, { credits: 1_000, spendCap: 100 })
    expect(toVerdicts(await ask(payer, 40))).toEqual([0])
    for (const price of [30, 25]) {
      const made = await rotateKey(fixture.pool, { accountId: payer.accountId, isConfirmed: true, address: null }, payer.publicKeyId, overlapHours)
      const { rows } = await fixture.pool.query<{ id: number }>('SELECT id::int FROM api_key WHERE public_id = $1', [made.id])
      payer = { ...payer, keyId: rows[0]?.id ?? 0, publicKeyId: made.id }
      expect(toVerdicts(await ask(payer, price))).toEqual([0])
    }
    await ahead('key_meter', 'key_id', payer.keyId)
    expect(toVerdicts(await ask(payer, 6))).toEqual([6])
    expect(toVerdicts(await ask(payer, 5))).toEqual([0])
  }
})
