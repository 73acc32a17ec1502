import type { OperationGroup } from './operation-groups.ts'

/** Menu of the API reference: endpoints by group. */
export function referenceMenu(groups: readonly OperationGroup[]) {
  const all = groups.map(({ name, operations }) => ({
    name,
    links: operations.map(({ href, method, path }) => ({ href, name: method === 'GET' ? path : `${method} ${path}`, isCode: true })),
  }))
  return [{ name: 'API reference', links: [{ href: '/reference', name: 'All endpoints' }] }, ...all]
}
