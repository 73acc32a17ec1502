import type { z } from 'zod'
import { parameterSchema } from '#server/api/contract/query.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import type { Stage } from './stage.ts'

export type Entry = (typeof registry)[number]

export type Dataset = 'live' | 'sample'

export const isLaunched = (entry: Entry) => entry.kind !== 'planned'

async function firstOf(stage: Pick<Stage, 'sql'>, table: string, column: string, dataset: Dataset): Promise<string> {
  const [row] = await stage.sql<{ key: string }>(`SELECT ${column} AS key FROM ${table} WHERE dataset = $1 ORDER BY 1 LIMIT 1`, [dataset])
  return encodeURIComponent(row?.key ?? '')
}

/** The parameters that a call cannot do without, each with a value that its own documentation allows. */
function queryOf(entry: Entry): string {
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

/** The template of a path filled with something of the dataset. */
async function pathOf(stage: Pick<Stage, 'sql'>, { path }: Entry, dataset: Dataset): Promise<string> {
  if (path.includes('{sourceKey}'))
    return path.replace('{sourceKey}', await firstOf(stage, path.includes('/cards/') ? 'card' : 'product', 'source_key', dataset))
  return path.includes('{slug}') ? path.replace('{slug}', await firstOf(stage, 'provider', 'slug', dataset)) : path
}

/** A call that can be answered: the parameters of the template filled with something of the dataset. */
export async function targetOf(stage: Pick<Stage, 'sql'>, entry: Entry, dataset: Dataset, more = ''): Promise<string> {
  const path = await pathOf(stage, entry, dataset)
  const query = [queryOf(entry), more].filter((part) => part !== '').join('&')
  return query === '' ? path : `${path}?${query}`
}

/** A call that is answered with 200, and what kind of `data` it has. */
export type LaunchedCall = { readonly path: string; readonly kind: 'item' | 'list' }

/** Every endpoint that is served to a live or a test key, called in the simplest way; pages of three rows. */
export async function launchedCalls(stage: Stage, dataset: Dataset = 'live', limit = 3): Promise<LaunchedCall[]> {
  const served = registry.filter((entry) => isLaunched(entry) && (dataset === 'sample' || entry.live === 'open'))
  const calls: LaunchedCall[] = []
  for (const entry of served) {
    const path = await targetOf(stage, entry, dataset, entry.kind === 'list' ? `limit=${limit}` : '')
    calls.push({ path, kind: entry.kind === 'item' ? 'item' : 'list' })
  }
  return calls
}

/** Credits for an answer: the price, for each row where rows are priced. */
export function costOf(entry: Entry, data: unknown): number {
  return entry.price.credits * (entry.price.per === 'row' && Array.isArray(data) ? data.length : 1)
}

export type Documented = Readonly<Record<string, unknown>>

/** The parameters of the query with what their documentation says of them, those of every list included. */
export function parametersOf(entry: Entry): { name: string; documented: Documented }[] {
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).filter(([name]) => !entry.path.includes(`{${name}}`))
  const documented = own.map(([name, schema]) => ({ name, documented: parameterSchema(schema) }))
  const paging = [
    ...(entry.kind === 'list' ? [{ name: 'limit', documented: { type: 'integer', minimum: 1, maximum: 50 } }] : []),
    ...(entry.fields.length > 0 ? [{ name: 'fields', documented: { type: 'string', enum: entry.fields } }] : []),
  ]
  return [...documented, ...paging]
}
