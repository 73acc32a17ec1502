import { expect, test } from 'vitest'
import { accountByEmail, changePlan } from '#server/accounts/accounts.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { ownDatabase } from '../support/own-database.ts'

/** Which account the operator's commands mean by an e-mail. */
const database = ownDatabase()

const signedUp = (email: string, isVerified = false) =>
  openAccount(database.pool, { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified }, { kind: 'adjustment', credits: 0 })

const planOf = async (publicId: string) => (await database.pool.query('SELECT plan FROM account WHERE public_id = $1', [publicId])).rows[0]?.plan

test('one account that nobody confirmed is meant by its e-mail; of several each is meant by its id alone', async () => {
  const email = 'ada@example.test'
  const own = await signedUp(email)
  await changePlan(database.pool, email, 'business')
  const stranger = await signedUp(email)
  const refusal = `Several accounts signed up with ${email} and none has confirmed it: ${own.publicId}, ${stranger.publicId}. Use one of these ids instead.`
  await expect(changePlan(database.pool, email, 'enterprise')).rejects.toThrow(refusal)
  await expect(accountByEmail(database.pool, email)).rejects.toThrow(refusal)
  await changePlan(database.pool, own.publicId, 'enterprise')
  expect([await planOf(own.publicId), await planOf(stranger.publicId)]).toEqual(['enterprise', 'hobby'])
  expect(await accountByEmail(database.pool, ` ${stranger.publicId} `)).toMatchObject({ id: stranger.id })
})

test('whoever confirmed an e-mail is meant by it, however many sign up with it', async () => {
  const email = 'bea@example.test'
  const ids = [await signedUp(email), await signedUp(email, true), await signedUp(email)].map(({ publicId }) => publicId)
  expect(await accountByEmail(database.pool, email)).toMatchObject({ publicId: ids[1] })
})

test('more accounts of an e-mail than can be told are told in part, and an id that nobody has is refused', async () => {
  const email = 'cy@example.test'
  for (let n = 0; n < 7; n++) await signedUp(email)
  await expect(accountByEmail(database.pool, email)).rejects.toThrow(/: (acc_\w+, ){4}acc_\w+ and more\. Use one of these ids/)
  await expect(accountByEmail(database.pool, 'acc_nobody')).rejects.toThrow('There is no account with the id acc_nobody.')
})
