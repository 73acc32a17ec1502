import type { z } from 'zod'
import { parameterSchema } from '#server/api/contract/query.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import type { Fixture } from './fixture.ts'

export type Entry = (typeof registry)[number]

export type Dataset = 'live' | 'sample'

export const isLaunched = (entry: Entry) => entry.kind !== 'planned'

async function getFirst(fixture: Pick<Fixture, 'sql'>, table: string, column: string, dataset: Dataset): Promise<string> {
  const [row] = await fixture.sql<{ key: string }>(`SELECT ${column} AS key FROM ${table} WHERE dataset = $1 ORDER BY 1 LIMIT 1`, [dataset])
  return encodeURIComponent(row?.key ?? '')
}

/** Returns the query of an example call: the documented example, or the required parameters with documented values. */
function getQuery(entry: Entry): string {
  if (entry.example) return new URLSearchParams(entry.example).toString()
  const shape = Object.entries(entry.input.shape as Record<string, z.ZodType>)
  const needed = shape.filter(([name, schema]) => !entry.path.includes(`{${name}}`) && !schema.safeParse(undefined).success)
  const values = needed.map(([name, schema]) => {
    const documented = parameterSchema(schema)
    const [word] = (documented['enum'] as string[] | undefined) ?? []
    return `${name}=${word ?? Math.max(1, Number(documented['minimum'] ?? 1))}`
  })
  return values.join('&')
}

/** Fills a path template with a key from the dataset. */
async function getPath(fixture: Pick<Fixture, 'sql'>, { path }: Entry, dataset: Dataset): Promise<string> {
  if (path.includes('{sourceKey}'))
    return path.replace('{sourceKey}', await getFirst(fixture, path.includes('/cards/') ? 'card' : 'product', 'source_key', dataset))
  return path.includes('{slug}') ? path.replace('{slug}', await getFirst(fixture, 'provider', 'slug', dataset)) : path
}

/** Builds a valid call, with path parameters from the dataset. */
export async function getTarget(fixture: Pick<Fixture, 'sql'>, entry: Entry, dataset: Dataset, more = ''): Promise<string> {
  const path = await getPath(fixture, entry, dataset)
  const query = [getQuery(entry), more].filter((part) => part !== '').join('&')
  return query === '' ? path : `${path}?${query}`
}

/** Call that returns 200, and the kind of its `data`. */
export type LaunchedCall = { readonly path: string; readonly kind: 'item' | 'list' }

/** Returns one call for each endpoint that a key of the dataset's mode can call, with three rows per list by default. */
export async function launchedCalls(fixture: Fixture, dataset: Dataset = 'live', limit = 3): Promise<LaunchedCall[]> {
  const served = registry.filter((entry) => isLaunched(entry) && (dataset === 'sample' || entry.live === 'open'))
  const calls: LaunchedCall[] = []
  for (const entry of served) {
    const path = await getTarget(fixture, entry, dataset, entry.kind === 'list' ? `limit=${limit}` : '')
    calls.push({ path, kind: entry.kind === 'item' ? 'item' : 'list' })
  }
  return calls
}

/** Returns the price of a response in credits: the price per row times the number of rows, or the fixed price. */
export function getCost(entry: Entry, data: unknown): number {
  return entry.price.credits * (entry.price.per === 'row' && Array.isArray(data) ? data.length : 1)
}

export type Documented = Readonly<Record<string, unknown>>

/** Returns the query parameters with their documentation, including the parameters that every list has. */
export function getParameters(entry: Entry): { name: string; documented: Documented }[] {
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).filter(([name]) => !entry.path.includes(`{${name}}`))
  const documented = own.map(([name, schema]) => ({ name, documented: parameterSchema(schema) }))
  const paging = [
    ...(entry.kind === 'list' ? [{ name: 'limit', documented: { type: 'integer', minimum: 1, maximum: 50 } }] : []),
    ...(entry.fields.length > 0 ? [{ name: 'fields', documented: { type: 'string', enum: entry.fields } }] : []),
  ]
  return [...documented, ...paging]
}
