/** Pages of the portal, in sidebar order. */
export const portalPages = [
  { id: 'overview', href: '/portal', name: 'Overview' },
  { id: 'keys', href: '/portal/keys', name: 'Keys' },
  { id: 'usage', href: '/portal/usage', name: 'Usage' },
  { id: 'requests', href: '/portal/requests', name: 'Requests' },
  { id: 'billing', href: '/portal/billing', name: 'Billing' },
  { id: 'alerts', href: '/portal/alerts', name: 'Alerts' },
  { id: 'webhooks', href: '/portal/webhooks', name: 'Webhooks' },
  { id: 'settings', href: '/portal/settings', name: 'Settings' },
] as const

export type PortalPage = (typeof portalPages)[number]['id']

/** Returns the portal page that a path belongs to. */
export function getPortalPage(path: string): PortalPage | undefined {
  const [, , part = ''] = (path.split('?', 1)[0] ?? '').split('/')
  return part === '' ? 'overview' : portalPages.find(({ href }) => href === `/portal/${part}`)?.id
}
