import { z } from 'zod'
import { defaultLimit, type Endpoint, maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { parameterSchema, parameterWords } from '#server/api/contract/query.ts'

/** A JSON Schema (2020-12) of an object, as tool clients read it. */
export type ToolSchema = { type: 'object'; properties: Record<string, object>; required?: string[]; additionalProperties?: boolean }

type Shown = Pick<Endpoint<never>, 'kind' | 'input' | 'output' | 'fields'>

/** The documented type of a parameter with its words. */
function argument(schema: z.ZodType): object {
  const description = parameterWords(schema)
  return { ...parameterSchema(schema), ...(description === '' ? {} : { description }) }
}

/** What every list in pages takes beside its own arguments and `fields`. `limit` has no maximum, because more is cut and not refused. */
const paging: Readonly<Record<string, object>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    default: defaultLimit,
    description: `Rows to return, ${defaultLimit} unless given; more than ${maximumLimit} is cut to ${maximumLimit}.`,
  },
  cursor: { type: 'string', minLength: 1, description: 'The nextCursor of the page before, with all other arguments the same.' },
}

const trimming = (fields: readonly string[]): Record<string, object> => ({
  fields: { type: 'array', items: { type: 'string', enum: fields }, minItems: 1, description: 'Only these fields of each row; all unless given.' },
})

/** The arguments of a tool: the parameters of path and query under their own names. */
export function inputSchemaOf({ kind, input, fields }: Shown): ToolSchema {
  const shape = Object.entries(input.shape as Record<string, z.ZodType>)
  const required = shape.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name)
  const own = Object.fromEntries(shape.map(([name, schema]) => [name, argument(schema)]))
  const properties = { ...own, ...(kind === 'list' ? paging : {}), ...(fields.length > 0 ? trimming(fields) : {}) }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
}

type Node = Record<string, unknown>

/**
 * Leaves out what says nothing or too much: fields are added within a version, so no object is closed; the pattern of a time says no more than its
 * format, at great length; `base64` is an encoding and no format that readers know; and the bounds of every whole number are those of JavaScript.
 */
function loosen(node: Node): void {
  delete node['additionalProperties']
  if (node['format'] === 'date-time' || node['format'] === 'date') delete node['pattern']
  if (node['format'] === 'base64') delete node['format']
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum']
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum']
}

function schemaOf(type: z.ZodType): Node {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => loosen(jsonSchema as Node),
  })
  return schema
}

/** What is in `structuredContent` of a result. With `fields` a row has only some of its fields, so a list that takes it requires none of them. */
export function outputSchemaOf({ kind, output, fields }: Shown): ToolSchema {
  const { required: _all, ...trimmed } = schemaOf(output)
  const rows = { type: 'array', items: fields.length > 0 ? trimmed : schemaOf(output) }
  const data = kind === 'list' || kind === 'whole' ? rows : schemaOf(output)
  const meta = schemaOf(kind === 'item' ? Meta.omit({ limit: true, nextCursor: true }) : Meta)
  return { type: 'object', properties: { data, meta }, required: ['data', 'meta'] }
}
