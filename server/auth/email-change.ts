import type { PoolClient } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { addStarterCredits } from '#server/billing/starter-credits.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { closeUnconfirmedDuplicates } from './close-account.ts'
import { holdCredentials, writeEmail } from './credentials.store.ts'
import { emailFault, readEmail } from './sign-in.ts'
import { attempt, limits } from './throttle.ts'
import { spendAll } from './tokens.store.ts'
import type { Viewer } from './viewer.ts'

export const newEmailFault = ({ email }: Viewer, typed: string): string | null =>
  emailFault(typed) ?? (readEmail(typed) === email ? 'Enter an address that differs from your current one.' : null)

/**
 * Sends a confirmation link to the new address and notifies the current one. Nothing changes until the link is used. The response is the same if another
 * account has the address. The link is only valid while the session that requested it is. @throws FieldsError, ThrottledError
 */
export async function askForEmailChange(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<{ email: string }> {
  const email = readEmail(typed) ?? ''
  const { accountId, sessionVersion: version } = viewer
  refuseFaults({ email: newEmailFault(viewer, typed) })
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
export async function moveEmail(client: PoolClient, asker: Asker, accountId: number, email: string, held: readonly number[]): Promise<void> {
  const row = await holdCredentials(client, accountId)
  if (!row) return
  await writeEmail(client, accountId, email)
  // An account that never confirmed its first address becomes confirmed with this one.
  if (row.email_verified_at === null) await addStarterCredits(client, accountId)
  else await enqueueEmail(client, 'email-changed', row.email, { at: new Date(clock.now()).toISOString(), newEmail: email })
  await spendAll(client, accountId, ['confirm', 'change', 'reset'])
  await writeAudit(client, { accountId, actor: 'account', action: 'email.change', address: asker.address })
  await closeUnconfirmedDuplicates(client, accountId, email, held)
}
