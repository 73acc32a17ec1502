/** Tests how operator commands find an account by email or id. */
import { expect, test } from 'vitest'
import { accountByEmail, changePlan } from '#server/accounts/accounts.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

const signedUp = (email: string, isVerified = false) =>
  openAccount(database.pool, { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified }, { kind: 'adjustment', credits: 0 })

const getPlan = async (publicId: string) => (await database.pool.query('SELECT plan FROM account WHERE public_id = $1', [publicId])).rows[0]?.plan

test('finds a single unconfirmed account by email, but requires an id if there are several', async () => {
  const email = 'ada@example.test'
  const own = await signedUp(email)
  await changePlan(database.pool, email, 'business')
  const other = await signedUp(email)
  const refusal = `Several accounts signed up with ${email} and none has confirmed it: ${own.publicId}, ${other.publicId}. Use one of these ids instead.`
  await expect(changePlan(database.pool, email, 'enterprise')).rejects.toThrow(refusal)
  await expect(accountByEmail(database.pool, email)).rejects.toThrow(refusal)
  await changePlan(database.pool, own.publicId, 'enterprise')
  expect([await getPlan(own.publicId), await getPlan(other.publicId)]).toEqual(['enterprise', 'hobby'])
  expect(await accountByEmail(database.pool, ` ${other.publicId} `)).toMatchObject({ id: other.id })
})

test('finds the account that confirmed an email, regardless of unconfirmed ones', async () => {
  const email = 'bea@example.test'
  const ids = [await signedUp(email), await signedUp(email, true), await signedUp(email)].map(({ publicId }) => publicId)
  expect(await accountByEmail(database.pool, email)).toMatchObject({ publicId: ids[1] })
})

test('lists only five of many matching accounts, and rejects an unknown id', async () => {
  const email = 'cy@example.test'
  for (let n = 0; n < 7; n++) await signedUp(email)
  await expect(accountByEmail(database.pool, email)).rejects.toThrow(/: (acc_\w+, ){4}acc_\w+ and more\. Use one of these ids/)
  await expect(accountByEmail(database.pool, 'acc_nobody')).rejects.toThrow('There is no account with the id acc_nobody.')
})
