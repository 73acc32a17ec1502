import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { readIssuers } from '#server/auth/credentials.ts'
import { providerLabel } from '#server/auth/providers.ts'
import { endAllSessions, lockOwnAccount } from '#server/auth/sessions.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'

/**
 * Disconnects a provider and signs out all other devices, because any of them may have signed in with it. Idempotent. Callers must verify the password first.
 * @throws FieldsError if it is the only way to sign in
 */
export async function disconnectProvider(deps: AuthContext, asker: Asker, viewer: Viewer, issuer: string): Promise<void> {
  const { accountId, email, sessionId } = viewer
  await inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    if ((await deleteIdentities(client, accountId, issuer)) === 0) {
      const isLeft = (await readIssuers(client, accountId)).includes(issuer)
      return refuseFaults({ form: isLeft ? 'Set a password first: you have no other way to sign in.' : null })
    }
    await endAllSessions(client, accountId, sessionId)
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.disconnect', before: { issuer }, address: asker.address })
    await enqueueEmail(client, 'provider-changed', email, {
      at: new Date(clock.now()).toISOString(),
      provider: providerLabel(deps, issuer),
      isConnected: false,
    })
  })
}

/**
 * Deletes an account's identities with one provider, unless it would have no other way to sign in. Returns how many were deleted. The account must be locked.
 */
async function deleteIdentities(tx: Transaction, accountId: number, issuer: string): Promise<number> {
  const isSpare = { OR: [{ passwordHash: { not: null } }, { identities: { some: { issuer: { not: issuer } } } }] }
  return (await tx.providerIdentity.deleteMany({ where: { accountId, issuer, account: isSpare } })).count
}
