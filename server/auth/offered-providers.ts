import type { AuthRoom } from './auth-room.ts'

const ids = ['google', 'oidc'] as const

/** Returns a provider's display name, including one that is no longer configured. */
export const providerLabel = (room: AuthRoom, issuer: string): string =>
  offeredProviders(room).find((provider) => provider.issuer === issuer)?.label ?? new URL(issuer).hostname

/** Returns the configured identity providers, in the order of their buttons. */
export function offeredProviders(room: AuthRoom): { id: (typeof ids)[number]; label: string; issuer: string }[] {
  return ids.flatMap((id) => {
    const settings = room.providers[id]
    return settings ? [{ id, label: settings.label, issuer: settings.issuer }] : []
  })
}
