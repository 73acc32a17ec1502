import type { PoolClient } from 'pg'
import { writeAudit } from '../accounts/audit.ts'
import { enterStarterCredits } from '../billing/starter-credits.ts'
import { inTransaction } from '../db/transaction.ts'
import { networkOf } from '../keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { closeProvisional } from './close-account.ts'
import { holdCredentials, isEmailTaken, markConfirmed, readCredentials, readRivals } from './credentials.store.ts'
import { moveEmail } from './email-change.ts'
import { hashToken } from './seal.ts'
import { sendConfirmationAgain } from './sign-up.ts'
import { attempt, limits } from './throttle.ts'
import { readToken, spendAll, spendToken } from './tokens.store.ts'

/** A link as its page shows it before anything is pressed. */
export type ConfirmLink = { readonly email: string; readonly purpose: 'confirm' | 'change' } | null

/** Looks a link up without spending it: mail scanners open links. Null when it was used, has expired or never was. */
export async function readConfirmLink(room: AuthRoom, token: string): Promise<ConfirmLink> {
  const row = await readToken(room.pool, hashToken(token))
  return row?.is_live && row.purpose !== 'reset' ? { email: row.email, purpose: row.purpose } : null
}

export type Confirmed = {
  readonly account: string
  readonly accountId: number
  readonly sessionVersion: number
  readonly isNew: boolean
  readonly purpose: 'confirm' | 'change'
}

/** Makes the address the account's own, with everything that comes of it. */
async function own(client: PoolClient, asker: Asker, accountId: number, email: string): Promise<void> {
  await holdCredentials(client, accountId)
  if (!(await markConfirmed(client, accountId, email))) return
  await enterStarterCredits(client, accountId)
  await writeAudit(client, { accountId, actor: 'account', action: 'email.confirm', after: { email }, address: asker.address })
  await spendAll(client, accountId, ['confirm'])
  for (const rival of await readRivals(client, accountId, email)) await closeProvisional(client, rival)
}

async function confirmed(room: AuthRoom, accountId: number, purpose: 'confirm' | 'change', isNew: boolean): Promise<Confirmed | null> {
  const row = await readCredentials(room.pool, accountId)
  return row && row.email_verified_at !== null ? { account: row.public_id, accountId, sessionVersion: row.session_version, isNew, purpose } : null
}

/** Spends the link in the transaction of what it does; null when there was nothing to spend. */
async function spend(room: AuthRoom, asker: Asker, hash: Buffer): Promise<{ accountId: number; purpose: 'confirm' | 'change' } | null> {
  return inTransaction(room.pool, async (client) => {
    const first = await spendToken(client, hash, 'confirm')
    if (first) {
      await own(client, asker, first.accountId, first.email)
      return { accountId: first.accountId, purpose: 'confirm' }
    }
    const change = await spendToken(client, hash, 'change')
    if (!change) return null
    await moveEmail(client, asker, change.accountId, change.email)
    return { accountId: change.accountId, purpose: 'change' }
  })
}

/**
 * Confirms an address, because somebody pressed the button: never as a page loads. Of many presses at once one does the work, the others of the same
 * minute are told the same. Null when the link cannot be used.
 */
export async function confirmEmail(room: AuthRoom, asker: Asker, token: string): Promise<Confirmed | null> {
  await attempt(room.pool, [limits.links, networkOf(asker.address)])
  const hash = hashToken(token)
  try {
    const spent = await spend(room, asker, hash)
    if (spent) return await confirmed(room, spent.accountId, spent.purpose, true)
  } catch (error) {
    if (isEmailTaken(error)) return null
    throw error
  }
  const row = await readToken(room.pool, hash)
  if (!row?.is_just_spent || row.purpose === 'reset') return null
  return confirmed(room, Number(row.account_id), row.purpose, false)
}

/** Sends a new link for one that can no longer be used. Says the same whatever comes of it. */
export async function replaceLink(room: AuthRoom, asker: Asker, token: string): Promise<void> {
  await attempt(room.pool, [limits.links, networkOf(asker.address)])
  const row = await readToken(room.pool, hashToken(token))
  const account = row?.purpose === 'confirm' ? await readCredentials(room.pool, Number(row.account_id)) : undefined
  if (account) await sendConfirmationAgain(room, account.public_id)
}
