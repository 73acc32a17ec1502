import type { PoolClient } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { enterStarterCredits } from '#server/billing/starter-credits.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { askForMail } from '#server/email/mail.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { closeRivals } from './close-account.ts'
import { holdCredentials, writeEmail } from './credentials.store.ts'
import { emailFault, readEmail } from './sign-in.ts'
import { attempt, limits } from './throttle.ts'
import { spendAll } from './tokens.store.ts'
import type { Viewer } from './viewer.ts'

export const newEmailFault = ({ email }: Viewer, typed: string): string | null =>
  emailFault(typed) ?? (readEmail(typed) === email ? 'Enter an address other than the one you have.' : null)

/**
 * Sends a link to a new address, and tells the old one. Nothing changes until the link is pressed, and the answer is the same for an address that is
 * another's. The link ends with the sign-in in which it was asked for. @throws FieldsError, ThrottledError
 */
export async function askForEmailChange(room: AuthRoom, asker: Asker, viewer: Viewer, typed: string): Promise<{ email: string }> {
  const email = readEmail(typed) ?? ''
  const { accountId, sessionVersion: version } = viewer
  refuseFaults({ email: newEmailFault(viewer, typed) })
  await attempt(room.pool, [limits.emailChange, viewer.publicId], [limits.emailChangeNetwork, networkOf(asker.address)])
  await inTransaction(room.pool, async (client) => {
    await askForMail(client, 'change-email', email, { accountId, version })
    const told = { at: new Date(clock.now()).toISOString(), address: asker.address, newEmail: email }
    // An address that was never confirmed may be a stranger's, who is not to be written to.
    if (viewer.isConfirmed) await askForMail(client, 'email-change-asked', viewer.email, told)
    await writeAudit(client, { accountId, actor: 'account', action: 'email.change-ask', address: asker.address })
  })
  return { email }
}

/** Moves an account to an address that was just confirmed. `held` are the accounts whose wallets are. Fails on the unique index when another account has it. */
export async function moveEmail(client: PoolClient, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  const row = await holdCredentials(client, accountId)
  if (!row) return
  await writeEmail(client, accountId, email)
  // An account that never confirmed its first address confirms itself with this one.
  if (row.email_verified_at === null) await enterStarterCredits(client, accountId)
  else await askForMail(client, 'email-changed', row.email, { at: new Date(clock.now()).toISOString(), newEmail: email })
  await spendAll(client, accountId, ['confirm', 'change', 'reset'])
  await writeAudit(client, { accountId, actor: 'account', action: 'email.change', address: asker.address })
  await closeRivals(client, accountId, email, held)
}
