import { z } from 'zod'
import type { registry } from '#server/api/endpoints/registry.ts'

/** JSON Schema of a published document. */
type JsonSchema = Readonly<Record<string, unknown>>

const formatNames: Readonly<Record<string, string>> = { uri: 'URL', date: 'date', 'date-time': 'time' }
const typeNames: Readonly<Record<string, string>> = { integer: 'integer', number: 'number', boolean: 'boolean', object: 'object', null: 'null' }

function stringType({ format, pattern }: JsonSchema): string {
  const named = typeof format === 'string' ? formatNames[format] : undefined
  return named ?? (typeof pattern === 'string' && /\\\.\\d\\d\$$/.test(pattern) ? 'decimal string' : 'string')
}

const choices = (schema: JsonSchema): readonly JsonSchema[] => (Array.isArray(schema['anyOf']) ? schema['anyOf'] : [])

function either(names: readonly string[]): string {
  return [...new Set(names)].join(' or ')
}

/** Describes a type without its range and allowed values: `string`, `integer or null`, `list of objects`. */
export function typeOf(schema: JsonSchema): string {
  const { type, items } = schema
  if (choices(schema).length > 0) return either(choices(schema).map(typeOf))
  if (Array.isArray(type)) return either(type.map((one: unknown) => typeOf({ ...schema, type: one })))
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonSchema).replace(/^(string|integer|object|number|date|time|URL)$/, '$1s')}`
  if (type === 'string') return stringType(schema)
  return (typeof type === 'string' ? typeNames[type] : undefined) ?? (schema['const'] === undefined ? 'any value' : JSON.stringify(schema['const']))
}

/** Returns the allowed values if the schema has an enum. */
export function getValues(schema: JsonSchema): readonly string[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String)
  return choices(schema).flatMap(getValues)
}

/** Describes the range of a number: `from 1 to 600`, `1 or more`; empty if there is none. */
export function getRange({ type, minimum, maximum }: JsonSchema): string {
  const isNumber = type === 'integer' || type === 'number'
  const [from, to] = [minimum, maximum].map((bound) => (isNumber && typeof bound === 'number' && Number.isSafeInteger(Math.trunc(bound)) ? bound : undefined))
  const grouped = (bound: number) => bound.toLocaleString('en-GB')
  if (from !== undefined && to !== undefined && to < Number.MAX_SAFE_INTEGER) return `from ${grouped(from)} to ${grouped(to)}`
  return from !== undefined && from > Number.MIN_SAFE_INTEGER ? `${grouped(from)} or more` : ''
}

/** Returns the properties of an object, or of the items of a list. */
function getInside(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties, items } = schema
  if (properties) return properties as Record<string, JsonSchema>
  if (items) return getInside(items as JsonSchema)
  return Object.assign({}, ...choices(schema).map(getInside)) as Record<string, JsonSchema>
}

/** Returns the description of a value or, if it has none, of one of its alternatives. */
function getDescription(schema: JsonSchema): string {
  const own = schema['description']
  return typeof own === 'string'
    ? own
    : (choices(schema)
        .map(getDescription)
        .find((text) => text !== '') ?? '')
}

type Entry = (typeof registry)[number]

export type ResponseField = {
  /** Path of the field, such as `schedule[].month`. */
  readonly name: string
  readonly type: string
  readonly description: string
  readonly values: readonly string[]
  /** True if some responses omit the field. */
  readonly isOptional: boolean
}

const maxDepth = 3

function getFields(schema: JsonSchema, prefix: string, depth: number): ResponseField[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : Object.keys(getInside(schema)))
  return Object.entries(getInside(schema)).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`
    const type = typeOf(inner)
    const field = { name, type, description: getDescription(inner), values: getValues(inner), isOptional: depth === 0 && !required.has(key) }
    const isList = type.startsWith('list')
    return depth < maxDepth ? [field, ...getFields(inner, `${name}${isList ? '[]' : ''}.`, depth + 1)] : [field]
  })
}

/** Returns the fields of `data`, or of one row, each followed by its nested fields. Empty for a planned endpoint. */
export function responseFields(entry: Entry): ResponseField[] {
  if (entry.kind === 'planned') return []
  return getFields(z.toJSONSchema(entry.output, { unrepresentable: 'any' }) as JsonSchema, '', 0)
}
