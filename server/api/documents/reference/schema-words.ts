/** A JSON Schema as it stands in a published document. */
export type JsonSchema = Readonly<Record<string, unknown>>

const textFormats: Readonly<Record<string, string>> = { uri: 'address', date: 'day', 'date-time': 'time' }
const typeWords: Readonly<Record<string, string>> = { integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object', null: 'null' }

function textWords({ format, pattern }: JsonSchema): string {
  const named = typeof format === 'string' ? textFormats[format] : undefined
  return named ?? (typeof pattern === 'string' && /\\\.\\d\\d\$$/.test(pattern) ? 'decimal text' : 'text')
}

const choices = (schema: JsonSchema): readonly JsonSchema[] => (Array.isArray(schema['anyOf']) ? schema['anyOf'] : [])

function either(words: readonly string[]): string {
  return [...new Set(words)].join(' or ')
}

/** What a value is, in a few words: `text`, `whole number or null`, `list of objects`. Ranges and choices are not in it. */
export function typeOf(schema: JsonSchema): string {
  const { type, items } = schema
  if (choices(schema).length > 0) return either(choices(schema).map(typeOf))
  if (Array.isArray(type)) return either(type.map((one: unknown) => typeOf({ ...schema, type: one })))
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonSchema).replace(/^(text|object|number|day|time|address)$/, '$1s')}`
  if (type === 'string') return textWords(schema)
  return (typeof type === 'string' ? typeWords[type] : undefined) ?? (schema['const'] === undefined ? 'any value' : JSON.stringify(schema['const']))
}

/** The values that are allowed, when they are few enough to be listed in the schema. */
export function valuesOf(schema: JsonSchema): readonly string[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String)
  return choices(schema).flatMap(valuesOf)
}

/** The range of a number in words: `from 1 to 600`, `1 or more`; empty without one. */
export function rangeOf({ type, minimum, maximum }: JsonSchema): string {
  const isNumber = type === 'integer' || type === 'number'
  const [from, to] = [minimum, maximum].map((bound) => (isNumber && typeof bound === 'number' && Number.isSafeInteger(Math.trunc(bound)) ? bound : undefined))
  const grouped = (bound: number) => bound.toLocaleString('en-GB')
  if (from !== undefined && to !== undefined && to < Number.MAX_SAFE_INTEGER) return `from ${grouped(from)} to ${grouped(to)}`
  return from !== undefined && from > Number.MIN_SAFE_INTEGER ? `${grouped(from)} or more` : ''
}

/** What is inside of an object or of each thing of a list. */
export function insideOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties, items } = schema
  if (properties) return properties as Record<string, JsonSchema>
  if (items) return insideOf(items as JsonSchema)
  return Object.assign({}, ...choices(schema).map(insideOf)) as Record<string, JsonSchema>
}

/** The description of a value; that of a choice when it has none of its own. */
export function descriptionOf(schema: JsonSchema): string {
  const own = schema['description']
  return typeof own === 'string'
    ? own
    : (choices(schema)
        .map(descriptionOf)
        .find((text) => text !== '') ?? '')
}
