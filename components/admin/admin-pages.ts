/** Admin pages in sidebar order. */
export const adminPages = [
  { id: 'overview', href: '/admin', name: 'Now' },
  { id: 'review', href: '/admin/review', name: 'Review' },
  { id: 'accounts', href: '/admin/accounts', name: 'Accounts' },
  { id: 'support', href: '/admin/support', name: 'Support' },
  { id: 'credits', href: '/admin/credits', name: 'Credit adjustments' },
  { id: 'deliveries', href: '/admin/deliveries', name: 'Webhook deliveries' },
  { id: 'imports', href: '/admin/imports', name: 'Imports' },
  { id: 'products', href: '/admin/products', name: 'Products' },
  { id: 'quality', href: '/admin/quality', name: 'Data quality' },
  { id: 'service', href: '/admin/service', name: 'Service' },
  { id: 'incidents', href: '/admin/incidents', name: 'Incidents' },
  { id: 'endpoints', href: '/admin/endpoints', name: 'Endpoints' },
  { id: 'licences', href: '/admin/licences', name: 'Licences' },
  { id: 'changelog', href: '/admin/changelog', name: 'Changelog' },
  { id: 'audit', href: '/admin/audit', name: 'Audit log' },
] as const

export type AdminPage = (typeof adminPages)[number]['id']

/** Returns the id of the admin page that a path belongs to. */
export function findAdminPage(path: string): AdminPage | undefined {
  const [, , part = ''] = (path.split('?', 1)[0] ?? '').split('/')
  return part === '' ? 'overview' : adminPages.find(({ href }) => href === `/admin/${part}`)?.id
}
