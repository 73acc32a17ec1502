/** Tests that unconfirmed accounts are closed after thirty days unless they are in use. */
import { expect, test } from 'vitest'
import { approveAccount, blockAccount, changePlan } from '#server/accounts/accounts.ts'
import { adjustCredits, openAccount } from '#server/billing/ledger.ts'
import { createFirstKey } from '#server/keys/manage-own-keys.ts'
import { closeAbandoned } from '#server/self-service/close-account.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

const sql = async (text: string, values: unknown[]) => (await database.pool.query(text, values)).rows

/** Creates an account that signed up the given number of days ago and was never confirmed. */
async function unconfirmed(name: string, days = 31) {
  const email = `${name}@example.test`
  const request = { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified: false } as const
  const { id } = await openAccount(database.pool, request, { kind: 'starter' })
  await sql('UPDATE account SET created_at = now() - make_interval(days => $2) WHERE id = $1', [id, days])
  return { id, email }
}

/** Creates an unconfirmed account with a test key that was used the given number of days ago. */
async function withKey(name: string, usedDaysAgo: number) {
  const account = await unconfirmed(name)
  await createFirstKey(database.pool, { accountId: account.id, isConfirmed: true, address: null }, ['rates:read'])
  await sql('INSERT INTO key_use (key_id, at) SELECT id, now() - make_interval(days => $2) FROM api_key WHERE account_id = $1', [account.id, usedDaysAgo])
  return account
}

const isOpen = async ({ id }: { id: number }) => (await sql('SELECT FROM account WHERE id = $1 AND closed_at IS NULL', [id])).length === 1

test('closes an unconfirmed account after thirty days and records it in the audit log', async () => {
  const [old, young, blocked, idle] = [await unconfirmed('old'), await unconfirmed('young', 29), await unconfirmed('blocked'), await withKey('idle', 31)]
  await blockAccount(database.pool, blocked.email, null)
  await closeAbandoned({ pool: database.pool })
  expect([await isOpen(old), await isOpen(young), await isOpen(blocked), await isOpen(idle)]).toEqual([false, true, false, false])
  expect(await sql("SELECT actor, action FROM audit_entry WHERE account_id = $1 AND action LIKE '%close%'", [old.id])).toEqual([
    { actor: 'service', action: 'account.close' },
  ])
})

test('keeps accounts that were approved, upgraded or given credits, or whose keys are in use', async () => {
  const [approved, planned, credited, used] = [
    await unconfirmed('approved'),
    await unconfirmed('planned'),
    await unconfirmed('credited'),
    await withKey('used', 3),
  ]
  await approveAccount(database.pool, approved.email)
  await changePlan(database.pool, planned.email, 'business')
  await adjustCredits(database.pool, credited.id, 5, 'A test.')
  await closeAbandoned({ pool: database.pool })
  expect(await Promise.all([approved, planned, credited, used].map(isOpen))).toEqual([true, true, true, true])
})
