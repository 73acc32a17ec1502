import type { AuthContext } from './auth-context.ts'

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
