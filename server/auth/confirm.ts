import type { PoolClient } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { addStarterCredits } from '#server/billing/starter-credits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { closeUnconfirmedDuplicates } from './close-account.ts'
import { holdCredentials, isEmailTaken, lockContenders, markConfirmed, readCredentials } from './credentials.store.ts'
import { moveEmail } from './email-change.ts'
import { hashToken } from './encryption.ts'
import { type Asked, type Bearer, findLinkAccount, type LinkAccount, requireLinkProof } from './link-account.ts'
import { sendConfirmationAgain } from './sign-up.ts'
import { attempt, limits } from './throttle.ts'
import { readToken, spendAll, spendToken, type TokenRow } from './tokens.store.ts'

/** Confirmation link, as shown before the user submits the form. */
export type ConfirmLink = { readonly email: string; readonly purpose: 'confirm' | 'change'; readonly asks: Asked } | null

/** Looks up a link without using it, because mail scanners open links. Returns null if it is used, expired or unknown. */
export async function readConfirmLink(deps: AuthContext, token: string, bearer: Bearer): Promise<ConfirmLink> {
  const row = await readToken(deps.pool, hashToken(token))
  if (!row?.is_live || row.purpose === 'reset') return null
  const account = await findLinkAccount(deps, row, bearer)
  return account ? { email: row.email, purpose: row.purpose, asks: account.asks } : null
}

export type Confirmed = {
  readonly account: string
  readonly accountId: number
  readonly sessionVersion: number
  readonly isNew: boolean
  readonly purpose: 'confirm' | 'change'
  /** True if this browser may be signed in to the account now. */
  readonly mayEnter: boolean
}

/**
 * Confirms the address of an account, grants the starter credits and closes unconfirmed accounts with the same address. `held` lists the accounts whose wallets
 * are locked.
 */
async function confirmOwnership(client: PoolClient, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  await holdCredentials(client, accountId)
  if (!(await markConfirmed(client, accountId, email))) return
  await addStarterCredits(client, accountId)
  await writeAudit(client, { accountId, actor: 'account', action: 'email.confirm', address: asker.address })
  await spendAll(client, accountId, ['confirm'])
  await closeUnconfirmedDuplicates(client, accountId, email, held)
}

async function toConfirmed(deps: AuthContext, account: LinkAccount, purpose: 'confirm' | 'change', isNew: boolean): Promise<Confirmed | null> {
  const accountId = Number(account.row.id)
  const row = await readCredentials(deps.pool, accountId)
  if (!row || row.email_verified_at === null) return null
  const mayEnter = account.asks === 'nothing' || (purpose === 'confirm' && !row.has_second_factor)
  return { account: row.public_id, accountId, sessionVersion: row.session_version, isNew, purpose, mayEnter }
}

/** Uses the link and applies its effect in one transaction. Returns false if the link was already used. */
async function spend(deps: AuthContext, asker: Asker, hash: Buffer, link: TokenRow, purpose: 'confirm' | 'change', accountId: number): Promise<boolean> {
  return inTransaction(deps.pool, async (client) => {
    const held = await lockContenders(client, [Number(link.account_id), accountId], link.email)
    const spent = await spendToken(client, hash, purpose)
    if (spent) await (purpose === 'confirm' ? confirmOwnership : moveEmail)(client, asker, accountId, spent.email, held)
    return spent !== null
  })
}

/**
 * Confirms an email when the user submits the form, never on page load. If it is submitted several times at once, one request does the work, and the others get
 * the same result within a minute. `password` is checked unless this is the account's own browser. Returns null if the link can't be used.
 * @throws FieldsError, ThrottledError
 */
export async function confirmEmail(deps: AuthContext, asker: Asker, token: string, bearer: Bearer, password: string): Promise<Confirmed | null> {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  const hash = hashToken(token)
  const link = await readToken(deps.pool, hash)
  if (!link || link.purpose === 'reset' || !(link.is_live || link.is_just_spent)) return null
  const account = await findLinkAccount(deps, link, bearer)
  if (!account) return null
  await requireLinkProof(deps, account, password)
  try {
    if (await spend(deps, asker, hash, link, link.purpose, Number(account.row.id))) return await toConfirmed(deps, account, link.purpose, true)
  } catch (error) {
    if (isEmailTaken(error)) return null
    throw error
  }
  const row = await readToken(deps.pool, hash)
  return row?.is_just_spent ? toConfirmed(deps, account, link.purpose, false) : null
}

/** Replaces a link that can no longer be used. The result doesn't reveal whether one was sent. */
export async function replaceLink(deps: AuthContext, asker: Asker, token: string): Promise<void> {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  const row = await readToken(deps.pool, hashToken(token))
  const account = row?.purpose === 'confirm' ? await readCredentials(deps.pool, Number(row.account_id)) : undefined
  if (account) await sendConfirmationAgain(deps, account.public_id)
}
