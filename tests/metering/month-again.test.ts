/** A month that is entered again because the clock was ahead and is set back: everything that spends in it counts what was spent in it before, whatever came first. */
import { expect, test } from 'vitest'
import { rotateKey } from '#server/keys/own-keys.ts'
import { WebhookStage } from '../webhooks/support/webhook-stage.ts'
import { accountSpent, addKey, admit, makePayer, type Payer, requestOf, verdictsOf } from './statement.ts'

const stage = new WebhookStage()
const monthMs = 31 * 86_400_000
const ask = (payer: Payer, price: number) => admit(stage.pool, [requestOf(payer, { price })])

/** An account with a cap of 100 credits, an endpoint and a key, at this moment. */
async function capped() {
  stage.nowMs = Date.now()
  const account = await stage.account({ credits: 1_000 })
  const payer = await addKey(stage.pool, account)
  await stage.pool.query('UPDATE wallet SET month_cap = 100 WHERE account_id = $1', [account.id])
  await stage.endpoint(account)
  return { account, payer }
}

/** As if the last call of an account, or of a key, had come a month ahead. */
const ahead = (table: 'wallet' | 'key_meter', of: string, id: number) =>
  stage.pool.query(`UPDATE ${table} SET month = month + 1, month_seen = month + 1, month_spent = 0 WHERE ${of} = $1`, [id])

test('events that come first go on from what calls have spent', async () => {
  const { payer } = await capped()
  expect(verdictsOf(await ask(payer, 85))).toEqual([0])
  for (const step of [monthMs, -monthMs]) {
    stage.nowMs += step
    await stage.one()
    expect(await stage.after(0)).toBe(1)
  }
  // The event of the month ahead has the time of the database, which was never there.
  expect(await accountSpent(stage.pool, payer)).toBe(95)
  expect(verdictsOf(await ask(payer, 6))).toEqual([10])
  expect(verdictsOf(await ask(payer, 5))).toEqual([0])
})

test('calls that come first go on from what events have spent', async () => {
  const { account, payer } = await capped()
  await stage.emit({}, {}, {})
  expect(await stage.after(0)).toBe(3)
  await ahead('wallet', 'account_id', account.id)
  expect(verdictsOf(await ask(payer, 86))).toEqual([10])
  expect(verdictsOf(await ask(payer, 85))).toEqual([0])
  expect(await accountSpent(stage.pool, payer)).toBe(100)
})

test('events that were owed are taken with what was spent before', async () => {
  const { account, payer } = await capped()
  expect(verdictsOf(await ask(payer, 90))).toEqual([0])
  await stage.one()
  await stage.pool.query("UPDATE webhook_delivery SET is_owed = true, state = 'delivered', delivered_at = now() WHERE account_id = $1", [account.id])
  await ahead('wallet', 'account_id', account.id)
  await stage.resume()
  expect(await accountSpent(stage.pool, payer)).toBe(95)
})

test('a key goes on from what the ones before it have spent, rotated at once or with an overlap', async () => {
  for (const overlapHours of [0, 24] as const) {
    let payer = await makePayer(stage.pool, { credits: 1_000, spendCap: 100 })
    expect(verdictsOf(await ask(payer, 40))).toEqual([0])
    for (const price of [30, 25]) {
      const made = await rotateKey(stage.pool, { accountId: payer.accountId, isConfirmed: true, address: null }, payer.publicKeyId, overlapHours)
      const { rows } = await stage.pool.query<{ id: number }>('SELECT id::int FROM api_key WHERE public_id = $1', [made.id])
      payer = { ...payer, keyId: rows[0]?.id ?? 0, publicKeyId: made.id }
      expect(verdictsOf(await ask(payer, price))).toEqual([0])
    }
    await ahead('key_meter', 'key_id', payer.keyId)
    expect(verdictsOf(await ask(payer, 6))).toEqual([6])
    expect(verdictsOf(await ask(payer, 5))).toEqual([0])
  }
})
