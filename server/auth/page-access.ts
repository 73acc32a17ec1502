import { mutationFault } from '#server/accounts/permissions.ts'
import type { Viewer } from './viewer.ts'

/** The most common mutation of each part of the portal. If the user can't run it, the forms of that part are read-only. */
const pageMutations = [
  ['/portal/keys', 'keys.create'],
  ['/portal/billing', 'billing.startTopUp'],
  ['/portal/alerts', 'alerts.create'],
  ['/portal/webhooks', 'webhooks.create'],
  ['/portal/connect', 'oauth.approve'],
  ['/portal/help', 'support.open'],
  ['/portal/licence', 'licence.accept'],
  ['/portal/settings/account', 'security.closeAccount'],
] as const

/** Returns why the user can't change anything on a page because of their role; null if they can. */
export function getRoleFault(viewer: Viewer, path: string): string | null {
  if (viewer.member.role === null) return mutationFault(viewer, '')
  const [, mutation] = pageMutations.find(([start]) => path.startsWith(start)) ?? []
  return mutation === undefined ? null : mutationFault(viewer, mutation)
}

const personalPages: ReadonlySet<string> = new Set(['/portal/settings', '/portal/settings/security'])

/** Returns true if a page concerns only the user's own login, so that it needs no access to an account. */
export const isPersonalPage = (path: string): boolean => personalPages.has(path.split('?', 1)[0] ?? '')
