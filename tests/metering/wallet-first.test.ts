import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { blockAccount, changePlan } from '#server/accounts/accounts.ts'
import { changeAsAdmin, withLimits } from '#server/accounts/change-account.ts'
import { hashToken } from '#server/accounts/encryption.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { beginSession } from '#server/auth/sessions.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { adjustCredits, openAccount } from '#server/billing/ledger.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { createFirstKey } from '#server/keys/manage-own-keys.ts'
import { createLog } from '#server/observability/log.ts'
import { closeAbandoned, closeAccount } from '#server/self-service/close-account.ts'
import { confirmEmail } from '#server/self-service/email-confirmation.ts'
import { replaceRecoveryCodes, turnOff } from '#server/self-service/second-factor-setup.ts'
import { changeName } from '#server/self-service/settings.ts'
import { signUpWithProvider, writeAcceptance } from '#server/self-service/sign-up.ts'
import { issueToken } from '#server/self-service/tokens.ts'
import { makeAccount, type TestAccount } from '../support/accounts.ts'
import { behindBoth, holdWallet, waiters, whileHeld } from './blocking-lock.ts'
import { meteringDatabase } from './statement.ts'

const db = meteringDatabase()

const deps = (): AuthContext => ({
  pool: db.pool,
  log: createLog('silent'),
  secret: 'a secret of the tests that is long enough',
  publicUrl: 'https://api.example.test',
  providers: { google: null, oidc: null },
  showsOutbox: false,
})

let asked = 0
/** Returns a caller with a new IP address, so that limits on attempts do not apply. */
const asker = () => ({ address: `10.0.${Math.floor(++asked / 250)}.${asked % 250}`, agent: 'Test' })

const getViewer = ({ id, publicId, email }: TestAccount) =>
  ({
    accountId: id,
    publicId,
    email,
    name: '',
    isConfirmed: true,
    actingFor: null,
    member: { accountId: id, publicId, email, name: '', role: 'owner' },
  }) as Viewer

const newestLicence = async () =>
  (await db.pool.query<{ label: string }>('SELECT label FROM licence_version ORDER BY published_at DESC LIMIT 1')).rows[0]?.label ?? ''

const changes: Record<string, (account: TestAccount) => Promise<unknown>> = {
  plan: ({ email }) => changePlan(db.pool, email, 'business'),
  block: ({ email }) => blockAccount(db.pool, email, null),
  limits: async ({ id }) => {
    const admin = await makeAccount(db.pool)
    return changeAsAdmin(db.pool, { actor: 'admin', adminId: admin.id, reason: 'A test.', address: null }, id, withLimits({ perMinute: 7, perDay: 9 }))
  },
  name: (account) => changeName(deps(), asker(), getViewer(account), 'Somebody'),
  licence: async ({ id }) => {
    const label = await newestLicence()
    return inTransaction(db.pool, (client) => writeAcceptance(client, id, label))
  },
  key: ({ id }) => createFirstKey(db.pool, { accountId: id, isConfirmed: true, address: null }, ['rates:read']),
  credits: ({ id }) => adjustCredits(db.pool, id, 5, 'A test.'),
  close: (account) => closeAccount(deps(), asker(), getViewer(account), account.email),
}

/** Starts changes one after another while another session holds a lock, and releases the lock once all of them are waiting. */
async function queueBehindLock(statement: string, values: unknown[], works: readonly (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
  return whileHeld(db.pool, statement, values, async (release) => {
    const under: Promise<PromiseSettledResult<unknown>[]>[] = []
    for (const work of works) {
      under.push(Promise.allSettled([work()]))
      await waiters(db.pool, under.length)
    }
    await release()
    return (await Promise.all(under)).flat()
  })
}

const getFaults = (done: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  done.flatMap((one) => (one.status === 'rejected' ? [one.reason instanceof DatabaseError ? one.reason.code : one.reason.name] : []))

/** Returns true if the second change must be rejected, because the first one closed the account or already made the same change. */
const isRefused = (first: string, second: string) =>
  first === 'close' ? ['plan', 'block', 'limits', 'key'].includes(second) : first === 'limits' && second === 'limits'

test.each(Object.entries(changes))(
  'the change "%s" locks the wallet first, so it never deadlocks with another change of the account',
  async (first, change) => {
    for (const [second, other] of Object.entries(changes)) {
      const account = await makeAccount(db.pool)
      const done = await queueBehindLock(holdWallet, [account.id], [() => change(account), () => other(account)])
      const fault = expect.stringMatching(/^(?:Account|Refused)Error$/)
      expect([second, getFaults(done)]).toEqual([second, isRefused(first, second) ? [fault] : []])
    }
  },
)

test('leaves no personal data on an account closed while a change was waiting', async () => {
  const account = await makeAccount(db.pool)
  const [close, name] = [changes['close'], changes['name']]
  await queueBehindLock(holdWallet, [account.id], [() => close?.(account) ?? Promise.reject(), () => name?.(account) ?? Promise.reject()])
  expect((await db.pool.query('SELECT name, closed_at IS NOT NULL AS is_closed FROM account WHERE id = $1', [account.id])).rows).toEqual([
    { name: '', is_closed: true },
  ])
})

/** Creates an account whose email is not confirmed yet. Returns it with the token of its confirmation link. */
async function signedUp(email: string): Promise<TestAccount & { readonly token: string }> {
  const request = { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified: false } as const
  const account = await openAccount(db.pool, request, { kind: 'starter' })
  return { ...account, token: await issueToken(db.pool, { accountId: account.id, purpose: 'confirm', email }) }
}

const confirm = ({ publicId, token }: { publicId: string; token: string }) => confirmEmail(deps(), asker(), token, { signedUp: publicId, signedIn: null }, '')

const standing = async (email: string) =>
  (await db.pool.query('SELECT id::int, email_verified_at IS NOT NULL AS is_confirmed FROM account WHERE email = $1 ORDER BY id', [email])).rows

test('if two accounts confirm the same email at the same time, the first gets it and the other is closed', async () => {
  const email = 'both@example.test'
  const [one, other] = [await signedUp(email), await signedUp(email)]
  const done = await queueBehindLock(holdWallet, [one.id], [() => confirm(one), () => confirm(other)])
  expect(getFaults(done)).toEqual([])
  expect(await standing(email)).toEqual([{ id: one.id, is_confirmed: true }])
})

test('an email stays with the account that confirms it, even if a provider verifies it for another account at the same time', async () => {
  const email = 'vouched@example.test'
  const account = await signedUp(email)
  const profile = { issuer: 'https://accounts.example.test', subject: 'vouched', email, isEmailVerified: true, name: '' }
  const licence = await newestLicence()
  const held = 'SELECT FROM email_token WHERE hash = $1 FOR UPDATE'
  const signUp = () => signUpWithProvider(deps(), asker(), profile, { acceptsLicence: true, licence }, null)
  const done = await queueBehindLock(held, [hashToken(account.token)], [() => confirm(account), signUp])
  expect(getFaults(done)).toEqual([])
  expect(await standing(email)).toEqual([{ id: account.id, is_confirmed: true }])
})

test.each(['plan', 'block', 'name', 'licence', 'close'])(
  'the change "%s" never deadlocks with a confirmation, or with closing accounts that were unconfirmed for a month',
  async (name) => {
    const change = (account: TestAccount) => changes[name]?.(account) ?? Promise.reject(new Error(name))
    const account = await signedUp(`late-${name}@example.test`)
    expect(getFaults(await queueBehindLock(holdWallet, [account.id], [() => confirm(account), () => change(account)]))).toEqual([])
    const late = await signedUp(`later-${name}@example.test`)
    await db.pool.query("UPDATE account SET created_at = now() - interval '31 days' WHERE id = $1", [late.id])
    expect(getFaults(await queueBehindLock(holdWallet, [late.id], [() => change(late), () => closeAbandoned(deps())]))).toEqual([])
    // An account whose plan an operator has changed is kept, even if its email is unconfirmed.
    expect(await standing(late.email)).toEqual(name === 'plan' ? [{ id: late.id, is_confirmed: false }] : [])
  },
)

test('turning two-factor sign-in off never deadlocks with closing the account', async () => {
  const account = await makeAccount(db.pool)
  await db.pool.query("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [account.id])
  await inTransaction(db.pool, (client) => replaceRecoveryCodes(client, account.id, [hashToken('a code')]))
  const session = await beginSession(deps(), asker(), { ...account, sessionVersion: 1 })
  const viewer = { ...getViewer(account), sessionId: session?.sessionId ?? '' }
  const [factor, codes] = ['second_factor', 'recovery_code'].map((table) => `SELECT FROM ${table} WHERE account_id = $1 FOR UPDATE`) as [string, string]
  expect(await behindBoth(db.pool, factor, codes, [account.id], () => turnOff(deps(), asker(), viewer))).toBeNull()
})
