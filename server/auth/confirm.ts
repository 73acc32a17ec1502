import type { PoolClient } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { enterStarterCredits } from '#server/billing/starter-credits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { closeRivals } from './close-account.ts'
import { holdContenders, holdCredentials, isEmailTaken, markConfirmed, readCredentials } from './credentials.store.ts'
import { moveEmail } from './email-change.ts'
import { type Asked, accountOfLink, type Bearer, type LinkAccount, proveKnown } from './link-account.ts'
import { hashToken } from './seal.ts'
import { sendConfirmationAgain } from './sign-up.ts'
import { attempt, limits } from './throttle.ts'
import { readToken, spendAll, spendToken, type TokenRow } from './tokens.store.ts'

/** A link as its page shows it before anything is pressed. */
export type ConfirmLink = { readonly email: string; readonly purpose: 'confirm' | 'change'; readonly asks: Asked } | null

/** Looks a link up without spending it: mail scanners open links. Null when it was used, has expired or never was. */
export async function readConfirmLink(room: AuthRoom, token: string, bearer: Bearer): Promise<ConfirmLink> {
  const row = await readToken(room.pool, hashToken(token))
  if (!row?.is_live || row.purpose === 'reset') return null
  const account = await accountOfLink(room, row, bearer)
  return account ? { email: row.email, purpose: row.purpose, asks: account.asks } : null
}

export type Confirmed = {
  readonly account: string
  readonly accountId: number
  readonly sessionVersion: number
  readonly isNew: boolean
  readonly purpose: 'confirm' | 'change'
  /** Whether this browser may be signed in to it now. */
  readonly mayEnter: boolean
}

/** Makes the address the account's own, with everything that comes of it. `held` are the accounts whose wallets are. */
async function own(client: PoolClient, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  await holdCredentials(client, accountId)
  if (!(await markConfirmed(client, accountId, email))) return
  await enterStarterCredits(client, accountId)
  await writeAudit(client, { accountId, actor: 'account', action: 'email.confirm', address: asker.address })
  await spendAll(client, accountId, ['confirm'])
  await closeRivals(client, accountId, email, held)
}

async function confirmed(room: AuthRoom, account: LinkAccount, purpose: 'confirm' | 'change', isNew: boolean): Promise<Confirmed | null> {
  const accountId = Number(account.row.id)
  const row = await readCredentials(room.pool, accountId)
  if (!row || row.email_verified_at === null) return null
  const mayEnter = account.asks === 'nothing' || (purpose === 'confirm' && !row.has_second_factor)
  return { account: row.public_id, accountId, sessionVersion: row.session_version, isNew, purpose, mayEnter }
}

/** Spends the link in the transaction of what it does for the account; false when there was nothing to spend. */
async function spend(room: AuthRoom, asker: Asker, hash: Buffer, link: TokenRow, purpose: 'confirm' | 'change', accountId: number): Promise<boolean> {
  return inTransaction(room.pool, async (client) => {
    const held = await holdContenders(client, [Number(link.account_id), accountId], link.email)
    const spent = await spendToken(client, hash, purpose)
    if (spent) await (purpose === 'confirm' ? own : moveEmail)(client, asker, accountId, spent.email, held)
    return spent !== null
  })
}

/**
 * Confirms an address, because somebody pressed the button: never as a page loads. Of many presses at once one does the work, the others of the same
 * minute are told the same. `password` counts where the browser is not the account's own. Null when the link cannot be used.
 * @throws FieldsError, ThrottledError
 */
export async function confirmEmail(room: AuthRoom, asker: Asker, token: string, bearer: Bearer, password: string): Promise<Confirmed | null> {
  await attempt(room.pool, [limits.links, networkOf(asker.address)])
  const hash = hashToken(token)
  const link = await readToken(room.pool, hash)
  if (!link || link.purpose === 'reset' || !(link.is_live || link.is_just_spent)) return null
  const account = await accountOfLink(room, link, bearer)
  if (!account) return null
  await proveKnown(room, account, password)
  try {
    if (await spend(room, asker, hash, link, link.purpose, Number(account.row.id))) return await confirmed(room, account, link.purpose, true)
  } catch (error) {
    if (isEmailTaken(error)) return null
    throw error
  }
  const row = await readToken(room.pool, hash)
  return row?.is_just_spent ? confirmed(room, account, link.purpose, false) : null
}

/** Sends a new link for one that can no longer be used. Says the same whatever comes of it. */
export async function replaceLink(room: AuthRoom, asker: Asker, token: string): Promise<void> {
  await attempt(room.pool, [limits.links, networkOf(asker.address)])
  const row = await readToken(room.pool, hashToken(token))
  const account = row?.purpose === 'confirm' ? await readCredentials(room.pool, Number(row.account_id)) : undefined
  if (account) await sendConfirmationAgain(room, account.public_id)
}
