import type { AuthRoom } from './auth-room.ts'

const ids = ['google', 'oidc'] as const

/** What a provider is called, also one that is no longer set up. */
export const providerLabel = (room: AuthRoom, issuer: string): string =>
  offeredProviders(room).find((provider) => provider.issuer === issuer)?.label ?? new URL(issuer).hostname

/** The identity providers that are set up, in the order of their buttons. */
export function offeredProviders(room: AuthRoom): { id: (typeof ids)[number]; label: string; issuer: string }[] {
  return ids.flatMap((id) => {
    const settings = room.providers[id]
    return settings ? [{ id, label: settings.label, issuer: settings.issuer }] : []
  })
}
