import { z } from 'zod'
import type { registry } from '#server/api/endpoints/registry.ts'
import { descriptionOf, insideOf, type JsonSchema, typeOf, valuesOf } from './schema-words.ts'

type Entry = (typeof registry)[number]

/** A field of an answer. */
export type ResponseField = {
  /** With what it stands in: `schedule[].month`. */
  readonly name: string
  readonly type: string
  readonly description: string
  readonly values: readonly string[]
  /** Left out of some answers. */
  readonly isOptional: boolean
}

const deepest = 3

function fieldsOf(schema: JsonSchema, prefix: string, depth: number): ResponseField[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : Object.keys(insideOf(schema)))
  return Object.entries(insideOf(schema)).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`
    const type = typeOf(inner)
    const field = { name, type, description: descriptionOf(inner), values: valuesOf(inner), isOptional: depth === 0 && !required.has(key) }
    const isList = type.startsWith('list')
    return depth < deepest ? [field, ...fieldsOf(inner, `${name}${isList ? '[]' : ''}.`, depth + 1)] : [field]
  })
}

/** The fields of `data`, or of one row of it, those of what is inside behind it. None for an endpoint whose shape is not decided. */
export function responseFields(entry: Entry): ResponseField[] {
  if (entry.kind === 'planned') return []
  return fieldsOf(z.toJSONSchema(entry.output, { unrepresentable: 'any' }) as JsonSchema, '', 0)
}
