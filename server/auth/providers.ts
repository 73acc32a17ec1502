import type { AuthContext } from './auth-context.ts'

/** Returns the configured identity providers, in the order of their buttons. */
export const offeredProviders = ({ providers }: AuthContext) =>
  (['google', 'oidc'] as const).flatMap((id) => {
    const settings = providers[id]
    return settings ? [{ id, label: settings.label, issuer: settings.issuer }] : []
  })

/** Returns a provider's display name, including one that is no longer configured. */
export const providerLabel = (deps: AuthContext, issuer: string): string =>
  offeredProviders(deps).find((provider) => provider.issuer === issuer)?.label ?? new URL(issuer).hostname
