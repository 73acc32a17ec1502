import { hashToken } from '#server/accounts/encryption.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { revokeApplicationKey } from '#server/keys/application-keys.ts'
import { immediately } from '#server/keys/keys.ts'
import { isClientId } from './oauth-clients.ts'

/** Code that was rejected, and who presented it. */
type Replay = { readonly code: string; readonly client: string; readonly address: string | null }

/**
 * Revokes the key of a code that its application presents twice: one of the two senders may be a thief (RFC 6749, section 4.1.2). If the first request is still
 * creating the key, it fails because the code is no longer valid.
 */
export async function revokeIfReplayed({ pool, log }: AuthContext, { code, client, address }: Replay): Promise<void> {
  if (!isClientId(client)) return
  const isOfClient = { hash: hashToken(code), usedAt: { not: null }, client: { publicId: client } }
  await pool.oAuthCode.updateMany({ where: { ...isOfClient, keyId: null }, data: { expiresAt: immediately } })
  const used = await pool.oAuthCode.findFirst({ where: { ...isOfClient, keyId: { not: null } }, select: { keyId: true, accountId: true, memberId: true } })
  if (!used?.keyId) return
  log.warn({ event: 'oauth.replay', key: used.keyId }, 'An authorisation code was presented twice. Its key is revoked.')
  await revokeApplicationKey(pool, { keyId: used.keyId, accountId: used.accountId, memberId: used.memberId, address })
}
