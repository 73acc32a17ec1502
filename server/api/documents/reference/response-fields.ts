import { z } from 'zod'
import type { registry } from '#server/api/endpoints/registry.ts'
import { getDescription, getInside, getValues, type JsonSchema, typeOf } from './schema-text.ts'

type Entry = (typeof registry)[number]

/** Field of a response. */
export type ResponseField = {
  /** Full path: `schedule[].month`. */
  readonly name: string
  readonly type: string
  readonly description: string
  readonly values: readonly string[]
  /** True if some responses omit it. */
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
