import { writeAudit } from '#server/accounts/audit.ts'
import { emailFault, readEmail } from '#server/accounts/email-address.ts'
import { isPassword } from '#server/accounts/password.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { type Credentials, holdCredentials, readAccountCredentials, readCredentials } from '#server/auth/credentials.ts'
import { requireCode } from '#server/auth/reauthentication.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { addStarterCredits } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import { isDuplicate } from '#server/db/database-errors.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import { closeUnconfirmedDuplicates, lockContenders } from './close-account.ts'
import { sendConfirmationAgain } from './sign-up.ts'
import { readLink, spendAll, spendToken, type Token } from './tokens.ts'

const newEmailFault = ({ email }: Viewer, typed: string): string | null =>
  emailFault(typed) ?? (readEmail(typed) === email ? 'Enter an address that differs from your current one.' : null)

/**
 * Sends a confirmation link to the new address and notifies the current one. Nothing changes until the link is used. The response is the same if another
 * account has the address. The link becomes invalid if the account's sessions are ended, for example by a password change. @throws FieldsError, ThrottledError
 */
export async function changeAccountEmail(deps: AuthContext, asker: Asker, viewer: Viewer, typed: { email: string; code: string }): Promise<{ email: string }> {
  const email = readEmail(typed.email) ?? ''
  const { accountId, sessionVersion: version } = viewer
  refuseFaults({ email: newEmailFault(viewer, typed.email) })
  await requireCode(deps, asker, viewer, typed.code)
  await attempt(deps.pool, [limits.emailChange, viewer.publicId], [limits.emailChangeNetwork, getNetwork(asker.address)])
  await inTransaction(deps.pool, async (client) => {
    await enqueueEmail(client, 'change-email', email, { accountId, version })
    const facts = { at: new Date(clock.now()).toISOString(), address: asker.address, newEmail: email }
    // An unconfirmed address may belong to someone else, who must not be emailed.
    if (viewer.isConfirmed) await enqueueEmail(client, 'email-change-asked', viewer.email, facts)
    await writeAudit(client, { accountId, actor: 'account', action: 'email.change-ask', address: asker.address })
  })
  return { email }
}

/**
 * Moves an account to an address that has just been confirmed. `held` lists the accounts whose wallets are locked. Fails on the unique index if another account
 * has confirmed the address.
 */
async function moveEmail(client: Transaction, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  const row = await holdCredentials(client, accountId)
  if (!row) return
  const emailVerifiedAt = row.emailVerifiedAt ?? new Date(clock.now())
  await client.account.update({ where: { id: accountId }, data: { email, emailVerifiedAt }, select: { id: true } })
  // An account that never confirmed its first address becomes confirmed with this one.
  if (row.emailVerifiedAt === null) await addStarterCredits(client, accountId)
  else await enqueueEmail(client, 'email-changed', row.email, { at: new Date(clock.now()).toISOString(), newEmail: email })
  await spendAll(client, accountId, ['confirm', 'change', 'reset'])
  await writeAudit(client, { accountId, actor: 'account', action: 'email.change', address: asker.address })
  await closeUnconfirmedDuplicates(client, accountId, email, held)
}

/** Public ids of the account that was created in this browser, and of the account that is signed in to it. */
export type Bearer = { readonly signedUp: string | null; readonly signedIn: string | null }

/** Proof required before a link is used: none in the account's own browser; otherwise the account's password, or a sign-in if the account has no password. */
type Asked = 'nothing' | 'password' | 'sign-in'

/** The account that a link would confirm in this browser. */
type LinkAccount = { readonly row: Credentials; readonly asks: Asked }

const isUnconfirmed = (row: Credentials | undefined, email: string): row is Credentials => row?.email === email && row.emailVerifiedAt === null

/**
 * Finds the account that a link confirms. The link proves who owns the address, not who created the account: anyone can sign up with someone else's address,
 * and the owner's click would give that person a confirmed account. So the account must belong to this browser, or its password is required. A browser that
 * signed up with the same address confirms its own account with any link sent to that address. Returns undefined if the account is closed.
 */
async function findLinkAccount(deps: Pick<AuthContext, 'pool'>, link: Token, bearer: Bearer): Promise<LinkAccount | undefined> {
  const linked = await readCredentials(deps.pool, link.accountId)
  if (!linked) return undefined
  const own = [bearer.signedIn, bearer.signedUp].filter((account) => account !== null)
  if (own.includes(linked.publicId)) return { row: linked, asks: 'nothing' }
  for (const account of link.purpose === 'confirm' ? own : []) {
    const row = await readAccountCredentials(deps.pool, account)
    if (isUnconfirmed(row, link.email)) return { row, asks: 'nothing' }
  }
  return { row: linked, asks: linked.passwordHash === null ? 'sign-in' : 'password' }
}

/** Requires the account's password unless the account belongs to this browser. @throws FieldsError, ThrottledError */
async function requireLinkProof(deps: AuthContext, { row, asks }: LinkAccount, password: string): Promise<void> {
  if (asks === 'nothing') return
  if (asks === 'sign-in') return refuseFaults({ form: 'Sign in first, then open the link again.' })
  refuseFaults({ password: password === '' ? 'Enter your password.' : null })
  const { forgive } = await attempt(deps.pool, [limits.reauthentication, row.publicId])
  refuseFaults({ password: (await isPassword(row.passwordHash, password)) ? null : 'Password is not correct.' })
  await forgive()
}

/** Confirmation link, as shown before the user submits the form. */
export type ConfirmLink = { readonly email: string; readonly purpose: 'confirm' | 'change'; readonly asks: Asked } | null

/** Looks up a link without using it up, because mail scanners open links. Returns null if it is used, expired or unknown. */
export async function readConfirmLink(deps: AuthContext, token: string, bearer: Bearer): Promise<ConfirmLink> {
  const row = await readLink(deps.pool, token)
  if (!row?.isUsable || row.purpose === 'reset') return null
  const account = await findLinkAccount(deps, row, bearer)
  return account ? { email: row.email, purpose: row.purpose, asks: account.asks } : null
}

/** Marks an account's email as confirmed. Returns false if it already was. Fails on the unique index if another account has confirmed the same email. */
async function markConfirmed(tx: Transaction, accountId: number, email: string): Promise<boolean> {
  const where = { id: accountId, email, emailVerifiedAt: null, closedAt: null }
  return (await tx.account.updateMany({ where, data: { emailVerifiedAt: new Date(clock.now()) } })).count === 1
}

/**
 * Confirms the address of an account, grants the starter credits and closes unconfirmed accounts with the same address. `held` lists the accounts whose wallets
 * are locked.
 */
async function confirmOwnership(client: Transaction, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  await holdCredentials(client, accountId)
  if (!(await markConfirmed(client, accountId, email))) return
  await addStarterCredits(client, accountId)
  await writeAudit(client, { accountId, actor: 'account', action: 'email.confirm', address: asker.address })
  await spendAll(client, accountId, ['confirm'])
  await closeUnconfirmedDuplicates(client, accountId, email, held)
}

/** Returns the result of a confirmation. `mayEnter` is true if the user of this browser may now be signed in to the account. */
async function toConfirmed(deps: AuthContext, account: LinkAccount, purpose: 'confirm' | 'change', isNew: boolean) {
  const accountId = account.row.id
  const row = await readCredentials(deps.pool, accountId)
  if (!row || row.emailVerifiedAt === null) return null
  const mayEnter = account.asks === 'nothing' || (purpose === 'confirm' && !row.hasSecondFactor)
  return { account: row.publicId, accountId, sessionVersion: row.sessionVersion, isNew, purpose, mayEnter }
}

/** Uses the link and applies its effect in one transaction. Returns false if the link was already used. */
async function spend(deps: AuthContext, asker: Asker, token: string, link: Token, purpose: 'confirm' | 'change', accountId: number): Promise<boolean> {
  return inTransaction(deps.pool, async (client) => {
    const held = await lockContenders(client, [link.accountId, accountId], link.email)
    const spent = await spendToken(client, token, purpose)
    if (spent) await (purpose === 'confirm' ? confirmOwnership : moveEmail)(client, asker, accountId, spent.email, held)
    return spent !== null
  })
}

/**
 * Confirms an email when the user submits the form, never on page load. If it is submitted several times at once, one request does the work, and the others get
 * the same result if they arrive within a minute. `password` is checked unless this is the account's own browser. Returns null if the link can't be used.
 * @throws FieldsError, ThrottledError
 */
export async function confirmEmail(deps: AuthContext, asker: Asker, token: string, bearer: Bearer, password: string) {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  const link = await readLink(deps.pool, token)
  if (!link || link.purpose === 'reset' || !(link.isUsable || link.isJustUsed)) return null
  const account = await findLinkAccount(deps, link, bearer)
  if (!account) return null
  await requireLinkProof(deps, account, password)
  try {
    if (await spend(deps, asker, token, link, link.purpose, account.row.id)) return await toConfirmed(deps, account, link.purpose, true)
  } catch (error) {
    if (isDuplicate(error)) return null
    throw error
  }
  const row = await readLink(deps.pool, token)
  return row?.isJustUsed ? toConfirmed(deps, account, link.purpose, false) : null
}

/** Replaces a link that can no longer be used. The result doesn't reveal whether one was sent. */
export async function replaceLink(deps: AuthContext, asker: Asker, token: string): Promise<void> {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  const row = await readLink(deps.pool, token)
  const account = row?.purpose === 'confirm' ? await readCredentials(deps.pool, row.accountId) : undefined
  if (account) await sendConfirmationAgain(deps, account.publicId)
}
