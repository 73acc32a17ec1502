import { z } from 'zod'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the paths of undeclared or missing fields. The check is needed because nothing forces handlers to omit undeclared fields. */
function differences(value: unknown, schema: Schema, at: string): string[] {
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => differences(value, one, at))
    return all.reduce((best, one) => (one.length < best.length ? one : best))
  }
  const { items, properties } = schema
  if (Array.isArray(value)) return items ? value.flatMap((one, index) => differences(one, items, `${at}[${index}]`)) : []
  if (!(isObject(value) && properties)) return []
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name))
  const inside = Object.entries(value).flatMap(([name, part]) => differences(part, properties[name] ?? {}, `${at}.${name}`))
  return [...unknown.map((name) => `${at}.${name} is not declared`), ...missing.map((name) => `${at}.${name} is missing`), ...inside]
}

const schemas = new WeakMap<z.ZodType, Schema>()

/** Returns the JSON Schema of an output, cached because building it takes longer than comparing a row. */
function getSchema(output: z.ZodType): Schema {
  const known = schemas.get(output)
  const schema = known ?? (z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Schema)
  if (!known) schemas.set(output, schema)
  return schema
}

/** Returns every violation of the declared schema: wrong types or formats, and missing or extra fields. */
export function getFaults(data: unknown, output: z.ZodType): string[] {
  const parsed = output.safeParse(data)
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  return [...faults, ...differences(data, getSchema(output), 'data')]
}
