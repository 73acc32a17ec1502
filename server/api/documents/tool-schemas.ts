import { z } from 'zod'
import { defaultLimit, type Endpoint, maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { parameterLabels, parameterSchema } from '#server/api/contract/query.ts'

/** JSON Schema (2020-12) of an object. */
export type ToolSchema = { type: 'object'; properties: Record<string, object>; required?: string[]; additionalProperties?: boolean }

type Shown = Pick<Endpoint<never>, 'kind' | 'input' | 'output' | 'fields'>

/** Returns the documented schema of a parameter with its description. */
function argument(schema: z.ZodType): object {
  const description = parameterLabels(schema)
  return { ...parameterSchema(schema), ...(description === '' ? {} : { description }) }
}

/** Arguments of every paginated list, besides its own and `fields`. `limit` has no maximum, because larger values are reduced, not refused. */
const paging: Readonly<Record<string, object>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    default: defaultLimit,
    description: `Rows to return. Default ${defaultLimit}; values above ${maximumLimit} are reduced to ${maximumLimit}.`,
  },
  cursor: { type: 'string', minLength: 1, description: 'meta.nextCursor of the previous page. Keep the filters the same.' },
}

const trimming = (fields: readonly string[]): Record<string, object> => ({
  fields: { type: 'array', items: { type: 'string', enum: fields }, minItems: 1, description: 'Fields to return in each row. Defaults to all.' },
})

/** Returns the input schema of a tool: path and query parameters by name. */
export function getInputSchema({ kind, input, fields }: Shown): ToolSchema {
  const shape = Object.entries(input.shape as Record<string, z.ZodType>)
  const required = shape.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name)
  const own = Object.fromEntries(shape.map(([name, schema]) => [name, argument(schema)]))
  const properties = { ...own, ...(kind === 'list' ? paging : {}), ...(fields.length > 0 ? trimming(fields) : {}) }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
}

type Node = Record<string, unknown>

/**
 * Removes what Zod adds by default: `additionalProperties`, because fields are added within a version; the long patterns of dates and times, which repeat
 * their format; `base64`, which is not a standard format; and the bounds of JavaScript integers.
 */
function loosen(node: Node): void {
  delete node['additionalProperties']
  if (node['format'] === 'date-time' || node['format'] === 'date') delete node['pattern']
  if (node['format'] === 'base64') delete node['format']
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum']
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum']
}

function getSchema(type: z.ZodType): Node {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => loosen(jsonSchema as Node),
  })
  return schema
}

/** Returns the schema of `structuredContent`. `fields` trims rows, so a list that accepts it requires no fields of a row. */
export function getOutputSchema({ kind, output, fields }: Shown): ToolSchema {
  const { required: _all, ...trimmed } = getSchema(output)
  const rows = { type: 'array', items: fields.length > 0 ? trimmed : getSchema(output) }
  const data = kind === 'list' || kind === 'whole' ? rows : getSchema(output)
  const meta = getSchema(kind === 'item' ? Meta.omit({ limit: true, nextCursor: true }) : Meta)
  return { type: 'object', properties: { data, meta }, required: ['data', 'meta'] }
}
