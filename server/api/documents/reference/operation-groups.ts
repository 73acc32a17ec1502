import type { Availability } from '#server/api/contract/endpoint.ts'
import { type CatalogueLine, catalogue } from '../catalogue.ts'
import { getGroup } from '../openapi/names.ts'

/** Converts an endpoint id to a URL slug: `rates.list` becomes `rates-list`. */
export const operationSlug = ({ id }: { readonly id: string }): string => id.replaceAll('.', '-')

/** Returns the path of an endpoint's page. */
export const operationPath = (entry: { readonly id: string }): string => `/reference/${operationSlug(entry)}`

type Operation = CatalogueLine & { readonly href: string }

type OperationGroup = { readonly name: string; readonly description: string; readonly operations: readonly Operation[] }

/** Returns every endpoint with the path of its page, in catalogue order. */
export function allOperations(overrides: ReadonlyMap<string, Availability>): Operation[] {
  return catalogue(overrides).map((line) => ({ ...line, href: operationPath(line) }))
}

/** Returns the endpoints by group, in catalogue order. */
export function operationGroups(overrides: ReadonlyMap<string, Availability>): OperationGroup[] {
  const groups = new Map<string, { name: string; description: string; operations: Operation[] }>()
  for (const line of allOperations(overrides)) {
    const { name, description } = getGroup(line)
    const group = groups.get(name) ?? { name, description, operations: [] }
    group.operations.push(line)
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Returns the menu of the API reference, with the endpoints by group. */
export function referenceMenu(groups: readonly OperationGroup[]) {
  const all = groups.map(({ name, operations }) => ({
    name,
    links: operations.map(({ href, method, path }) => ({ href, name: method === 'GET' ? path : `${method} ${path}`, isCode: true })),
  }))
  return [{ name: 'API reference', links: [{ href: '/reference', name: 'All endpoints' }] }, ...all]
}
