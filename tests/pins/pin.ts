import { z } from 'zod'
import { parameterSchema } from '#server/api/contract/query.ts'
import { type EventType, events, eventTypes, isOfAccount } from '#server/api/contract/webhooks.ts'
import { allEndpoints, type registry } from '#server/api/endpoints/registry.ts'

type Json = { readonly [keyword: string]: unknown }

/** Contract of an endpoint or a webhook event. `planned` endpoints only promise their path. */
export type Pin = {
  readonly kind: 'item' | 'list' | 'whole' | 'file' | 'planned' | 'event'
  readonly parameters: Readonly<Record<string, { readonly required: boolean; readonly schema: Json }>>
  /** JSON Schema of `data`, or of one of its rows if it is a list or a file. */
  readonly output: Json
}

export type Pins = Readonly<Record<string, Pin>>

type Entry = (typeof registry)[number]

/** Removes descriptions and titles: changing them doesn't change the contract. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  const isNameMap = (keyword: string) => keyword === 'properties'
  const kept = Object.entries(value).filter(([keyword]) => !['$schema', 'description', 'title', 'examples'].includes(keyword))
  return Object.fromEntries(kept.map(([keyword, part]) => [keyword, isNameMap(keyword) ? mapNames(part) : withoutWords(part)]))
}

/** Fields may be named `description` or `title`, so only their values are stripped. */
function mapNames(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as object).map(([name, part]) => [name, withoutWords(part)]))
}

function parameterPin(schema: z.ZodType): { required: boolean; schema: Json } {
  const required = !schema.safeParse(undefined).success
  return { required, schema: withoutWords(parameterSchema(schema)) as Json }
}

/** Parameters that every paginated list has in addition to its own. */
const paging = {
  limit: { required: false, schema: { type: 'integer', minimum: 1 } },
  cursor: { required: false, schema: { type: 'string' } },
} as const

/** The `fields` parameter, pinned for every endpoint whose rows can be trimmed. */
const trimming = { fields: { required: false, schema: { type: 'string' } } } as const

const getJson = (schema: z.ZodType): Json => withoutWords(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as Json

function getPin(entry: Entry): Pin {
  if (entry.kind === 'planned') return { kind: 'planned', parameters: {}, output: {} }
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).map(([name, schema]) => [name, parameterPin(schema)] as const)
  const added = { ...(entry.kind === 'list' ? paging : {}), ...(entry.fields.length > 0 ? trimming : {}) }
  return { kind: entry.kind, parameters: { ...Object.fromEntries(own), ...added }, output: getJson(entry.output) }
}

function pinOfEvent(type: EventType): Pin {
  const shape = isOfAccount(type) ? events[type].shape : allEndpoints.find(({ id }) => id === events[type].schemaSource)?.output
  if (!shape) throw new Error(`No schema for the data of ${type}.`)
  return { kind: 'event', parameters: {}, output: getJson(shape) }
}

/** Returns the current contract: endpoints by method and path, events by type. */
export function pinsOfRegistry(): Pins {
  const calls = allEndpoints.map((entry) => [`${entry.method} ${entry.path}`, getPin(entry)] as const)
  return Object.fromEntries([...calls, ...eventTypes.map((type) => [`event ${type}`, pinOfEvent(type)] as const)])
}
