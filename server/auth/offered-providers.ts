import type { AuthRoom } from './auth-room.ts'

const ids = ['google', 'oidc'] as const

/** The identity providers that are set up, in the order of their buttons. */
export function offeredProviders(room: AuthRoom): { id: (typeof ids)[number]; label: string; issuer: string }[] {
  return ids.flatMap((id) => {
    const settings = room.providers[id]
    return settings ? [{ id, label: settings.label, issuer: settings.issuer }] : []
  })
}
