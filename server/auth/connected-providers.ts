import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { askForMail } from '#server/email/mail.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { holdCredentials } from './credentials.store.ts'
import { providerLabel } from './offered-providers.ts'
import { deleteIdentities, insertIdentity, readIssuers } from './provider-identities.store.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { endAllSessions } from './sessions.ts'
import type { Viewer } from './viewer.ts'

/** Issuers through which an account can sign in. */
export const connectedIssuers = (room: AuthRoom, accountId: number): Promise<string[]> => readIssuers(room.pool, accountId)

/** Lets an identity sign in to an account from now on, and tells its owner. False when the identity is taken, or the account is not confirmed yet and so nobody's. */
export async function connectProvider(room: AuthRoom, asker: Asker, viewer: Viewer, { issuer, subject }: ProviderProfile): Promise<boolean> {
  const { accountId, email } = viewer
  if (!viewer.isConfirmed) return false
  return inTransaction(room.pool, async (client) => {
    if (!(await insertIdentity(client, issuer, subject, accountId))) return false
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.connect', after: { issuer }, address: asker.address })
    await askForMail(client, 'provider-changed', email, { at: new Date(clock.now()).toISOString(), provider: providerLabel(room, issuer), isConnected: true })
    return true
  })
}

/**
 * Takes a provider away again, and signs every other device out: whoever came in by it does not stay. Doing it twice is doing it once. Whoever calls has
 * asked for the password. @throws FieldsError when it is the only way to sign in
 */
export async function disconnectProvider(room: AuthRoom, asker: Asker, viewer: Viewer, issuer: string): Promise<void> {
  const { accountId, email, sessionId } = viewer
  await inTransaction(room.pool, async (client) => {
    await holdCredentials(client, accountId)
    if ((await deleteIdentities(client, accountId, issuer)) === 0) {
      const isLeft = (await readIssuers(client, accountId)).includes(issuer)
      return refuseFaults({ form: isLeft ? 'Set a password first: you have no other way to sign in.' : null })
    }
    await endAllSessions(client, accountId, sessionId)
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.disconnect', before: { issuer }, address: asker.address })
    await askForMail(client, 'provider-changed', email, { at: new Date(clock.now()).toISOString(), provider: providerLabel(room, issuer), isConnected: false })
  })
}
