import type { Availability } from '#server/api/contract/endpoint.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { accountCatalogue, catalogue } from '../catalogue.ts'
import { getGroup } from '../openapi/names.ts'
import { menuName } from './menu-names.ts'

/** Converts an endpoint id to a URL slug: `rates.list` becomes `rates-list`. */
export const operationSlug = ({ id }: { readonly id: string }): string => id.replaceAll('.', '-')

/** Returns the path of an endpoint's page. */
export const operationPath = (entry: { readonly id: string }): string => `/reference/${operationSlug(entry)}`

/** Returns every endpoint with the path of its page, in catalogue order. */
export const allOperations = (overrides: ReadonlyMap<string, Availability>) =>
  [...catalogue(overrides), ...accountCatalogue(overrides)].map((line) => ({ ...line, href: operationPath(line) }))

/** Returns the endpoints by group, in catalogue order. */
export function operationGroups(overrides: ReadonlyMap<string, Availability>) {
  const descriptions = new Map(allEndpoints.map(getGroup).map(({ name, description }) => [name, description]))
  const groups = Map.groupBy(allOperations(overrides), (line) => getGroup(line).name)
  return [...groups].map(([name, operations]) => ({ name, description: descriptions.get(name) ?? '', operations }))
}

/** Returns the menu of the API reference, with the endpoints by group. */
export function referenceMenu(groups: ReturnType<typeof operationGroups>) {
  const all = groups.map(({ name, operations }) => ({
    name,
    links: operations.map(({ id, href, method, summary }) => ({ href, name: menuName({ id, summary }), method })),
  }))
  return [{ name: 'API reference', links: [{ href: '/reference', name: 'All endpoints' }] }, ...all]
}
