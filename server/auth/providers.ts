import { writeAudit } from '#server/accounts/audit.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import type { Asker, AuthContext, ProviderProfile } from './auth-context.ts'
import { insertIdentity } from './credentials.ts'
import { lockOwnAccount } from './sessions.ts'
import type { Viewer } from './viewer.ts'

const ids = ['google', 'oidc'] as const

/** Returns a provider's display name, including one that is no longer configured. */
export const providerLabel = (deps: AuthContext, issuer: string): string =>
  offeredProviders(deps).find((provider) => provider.issuer === issuer)?.label ?? new URL(issuer).hostname

/** Returns the configured identity providers, in the order of their buttons. */
export function offeredProviders(deps: AuthContext): { id: (typeof ids)[number]; label: string; issuer: string }[] {
  return ids.flatMap((id) => {
    const settings = deps.providers[id]
    return settings ? [{ id, label: settings.label, issuer: settings.issuer }] : []
  })
}

/**
 * Connects an identity to an account and notifies its owner. Returns false if the identity is already connected, or the account is unconfirmed and so has no
 * proven owner. @throws SignedOutError
 */
export async function connectProvider(deps: AuthContext, asker: Asker, viewer: Viewer, { issuer, subject }: ProviderProfile): Promise<boolean> {
  const { accountId, email } = viewer
  if (!viewer.isConfirmed) return false
  return inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    if (!(await insertIdentity(client, issuer, subject, accountId))) return false
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.connect', after: { issuer }, address: asker.address })
    await enqueueEmail(client, 'provider-changed', email, { at: new Date(clock.now()).toISOString(), provider: providerLabel(deps, issuer), isConnected: true })
    return true
  })
}
