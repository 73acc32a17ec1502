import { z } from 'zod'
import { type EventType, events, eventTypes, isOfAccount } from '#server/api/contract/events.ts'
import { parameterSchema } from '#server/api/contract/query.ts'
import { registry } from '#server/api/endpoints/registry.ts'

type Json = { readonly [keyword: string]: unknown }

/** What v1 has promised of one endpoint, or of an event of webhooks. `planned` endpoints promise their path alone. */
export type Pin = {
  readonly kind: 'item' | 'list' | 'whole' | 'planned' | 'event'
  readonly parameters: Readonly<Record<string, { readonly required: boolean; readonly schema: Json }>>
  /** JSON Schema of `data`, or of one row of it. */
  readonly output: Json
}

export type Pins = Readonly<Record<string, Pin>>

type Entry = (typeof registry)[number]

/** Words for a reader say nothing of the shape, and a better word is no change. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  const isNameMap = (keyword: string) => keyword === 'properties'
  const kept = Object.entries(value).filter(([keyword]) => !['$schema', 'description', 'title', 'examples'].includes(keyword))
  return Object.fromEntries(kept.map(([keyword, part]) => [keyword, isNameMap(keyword) ? mapNames(part) : withoutWords(part)]))
}

/** Names of fields may be `description` or `title` as well: only what is behind them is stripped. */
function mapNames(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as object).map(([name, part]) => [name, withoutWords(part)]))
}

function parameterPin(schema: z.ZodType): { required: boolean; schema: Json } {
  const required = !schema.safeParse(undefined).success
  return { required, schema: withoutWords(parameterSchema(schema)) as Json }
}

/** The parameters that every list in pages has besides its own. */
const paging = {
  limit: { required: false, schema: { type: 'integer', minimum: 1 } },
  cursor: { required: false, schema: { type: 'string' } },
} as const

/** The parameter of every list whose rows can be trimmed. */
const trimming = { fields: { required: false, schema: { type: 'string' } } } as const

const jsonOf = (schema: z.ZodType): Json => withoutWords(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as Json

function pinOf(entry: Entry): Pin {
  if (entry.kind === 'planned') return { kind: 'planned', parameters: {}, output: {} }
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).map(([name, schema]) => [name, parameterPin(schema)] as const)
  const added = { ...(entry.kind === 'list' ? paging : {}), ...(entry.fields.length > 0 ? trimming : {}) }
  return { kind: entry.kind, parameters: { ...Object.fromEntries(own), ...added }, output: jsonOf(entry.output) }
}

function pinOfEvent(type: EventType): Pin {
  const shape = isOfAccount(type) ? events[type].shape : registry.find(({ id }) => id === events[type].shapeOf)?.output
  if (!shape) throw new Error(`The data of ${type} have no shape.`)
  return { kind: 'event', parameters: {}, output: jsonOf(shape) }
}

/** The contract as the registry has it now, by method and path, and the events by their types. */
export function pinsOfRegistry(): Pins {
  const calls = registry.map((entry) => [`${entry.method} ${entry.path}`, pinOf(entry)] as const)
  return Object.fromEntries([...calls, ...eventTypes.map((type) => [`event ${type}`, pinOfEvent(type)] as const)])
}
