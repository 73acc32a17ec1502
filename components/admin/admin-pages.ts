/** Groups of the sidebar, in order. The first page has no group. */
export const adminGroups = ['Customers', 'Data', 'Service', 'Log'] as const

/** Admin pages in sidebar order. */
export const adminPages = [
  { id: 'overview', href: '/admin', name: 'Now', group: null },
  { id: 'review', href: '/admin/review', name: 'Review', group: 'Customers' },
  { id: 'accounts', href: '/admin/accounts', name: 'Accounts', group: 'Customers' },
  { id: 'support', href: '/admin/support', name: 'Support', group: 'Customers' },
  { id: 'credits', href: '/admin/credits', name: 'Credit adjustments', group: 'Customers' },
  { id: 'deliveries', href: '/admin/deliveries', name: 'Webhook deliveries', group: 'Customers' },
  { id: 'imports', href: '/admin/imports', name: 'Imports', group: 'Data' },
  { id: 'products', href: '/admin/products', name: 'Products', group: 'Data' },
  { id: 'quality', href: '/admin/quality', name: 'Data quality', group: 'Data' },
  { id: 'service', href: '/admin/service', name: 'Service', group: 'Service' },
  { id: 'incidents', href: '/admin/incidents', name: 'Incidents', group: 'Service' },
  { id: 'endpoints', href: '/admin/endpoints', name: 'Endpoints', group: 'Service' },
  { id: 'licences', href: '/admin/licences', name: 'Licences', group: 'Service' },
  { id: 'changelog', href: '/admin/changelog', name: 'Changelog', group: 'Service' },
  { id: 'audit', href: '/admin/audit', name: 'Audit log', group: 'Log' },
] as const

export type AdminPage = (typeof adminPages)[number]['id']

/** Returns the id of the admin page that a path belongs to. */
export function findAdminPage(path: string): AdminPage | undefined {
  const [, , part = ''] = (path.split('?', 1)[0] ?? '').split('/')
  return part === '' ? 'overview' : adminPages.find(({ href }) => href === `/admin/${part}`)?.id
}
