import { holdWallet } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { closeBilling } from '#server/billing/saved-cards.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { revokeAllKeys } from '#server/keys/manage-own-keys.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { emptyAccount, holdCredentials, lockAbandoned, readAbandoned, readCandidates, readUnconfirmedDuplicates } from './credentials.ts'
import { forgetSessions } from './sessions.ts'
import { readEmail } from './sign-in.ts'
import { forgetWindows } from './throttle.ts'
import { forgetTokens } from './tokens.ts'
import type { Viewer } from './viewer.ts'

/** Closes an account that never confirmed its email. */
async function closeProvisional(client: Transaction, accountId: number): Promise<void> {
  await revokeAllKeys(client, accountId)
  await writeAudit(client, { accountId, actor: 'service', action: 'account.close' })
  await emptyAccount(client, accountId)
}

/** Closes unconfirmed accounts with an email that another account has just confirmed. `held` lists the accounts whose wallets are locked. */
export async function closeUnconfirmedDuplicates(client: Transaction, accountId: number, email: string, held: readonly number[]): Promise<void> {
  for (const rival of await readUnconfirmedDuplicates(client, accountId, email, held)) await closeProvisional(client, rival)
}

export const ownEmailFault = ({ email }: Viewer, typed: string): string | null =>
  readEmail(typed) === email ? null : 'Enter the email address of this account.'

/**
 * Closes an account: revokes its keys, sessions and payment authorisations and deletes its personal data. The ledger is kept. Callers must re-authenticate the
 * user first.
 * @throws FieldsError if the typed email is not the account's
 */
export async function closeAccount(deps: AuthContext, asker: Asker, viewer: Viewer, typedEmail: string): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, typedEmail) })
  await inTransaction(deps.pool, async (client) => {
    await revokeAllKeys(client, viewer.accountId)
    await closeBilling(client, viewer.accountId)
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'account.close', address: asker.address })
    await enqueueEmail(client, 'account-closed', viewer.email, { at: new Date(clock.now()).toISOString() })
    await emptyAccount(client, viewer.accountId)
  })
}

/** Closes the account that confirmed an email, in the same way as its owner would. Returns false if there is none. */
export async function closeForOperator(pool: Database, email: string): Promise<boolean> {
  const { confirmed } = await readCandidates(pool, email)
  if (!confirmed) return false
  return inTransaction(pool, async (client) => {
    const accountId = confirmed.id
    await holdWallet(client, accountId)
    // If several processes start at once, only one closes it.
    if (!(await holdCredentials(client, accountId))) return false
    await revokeAllKeys(client, accountId)
    await closeBilling(client, accountId)
    await writeAudit(client, { accountId, actor: 'operator', action: 'account.close' })
    await emptyAccount(client, accountId)
    return true
  })
}

const batchSize = 100

/** Closes accounts that were neither confirmed nor used within 30 days of signing up. */
export async function closeAbandoned(deps: Pick<AuthContext, 'pool'>): Promise<void> {
  for (const accountId of await readAbandoned(deps.pool, batchSize))
    await inTransaction(deps.pool, async (client) => {
      await holdWallet(client, accountId)
      if (await lockAbandoned(client, accountId)) await closeProvisional(client, accountId)
    })
}

/** Deletes ended sessions, expired links, old rate limit windows and abandoned sign-ups. */
export async function cleanUpAuth(pool: Database): Promise<void> {
  await forgetSessions(pool)
  await forgetTokens(pool)
  await forgetWindows(pool)
  await closeAbandoned({ pool })
}
