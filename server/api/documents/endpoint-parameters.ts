import { z } from 'zod'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { parameterLabels, parameterSchema } from '#server/api/contract/query.ts'
import type { registry } from '#server/api/endpoints/registry.ts'

type Entry = (typeof registry)[number]

/** Documented parameter of an endpoint. */
export type EndpointParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>
}

function ownParameter(entry: Entry, name: string, schema: z.ZodType): EndpointParameter {
  return {
    name,
    in: entry.path.includes(`{${name}}`) ? 'path' : 'query',
    required: !schema.safeParse(undefined).success,
    description: parameterLabels(schema),
    schema: parameterSchema(schema),
  }
}

/** Parameters that every paginated list has in addition to `fields` and those it declares. */
const paging: readonly EndpointParameter[] = [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: `Rows per page. Default ${defaultLimit}; values above ${maximumLimit} are reduced to ${maximumLimit}. meta.limit shows the applied value.`,
    schema: { type: 'integer', minimum: 1, default: defaultLimit },
  },
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^[A-Za-z0-9_-]+$' },
  },
]

function trimming({ fields }: Entry): EndpointParameter {
  const name = `(${fields.join('|')})`
  return {
    name: 'fields',
    in: 'query',
    required: false,
    description: `Comma-separated fields to return in each row. Valid fields: ${fields.join(', ')}.`,
    schema: { type: 'string', minLength: 1, maxLength: 2_000, pattern: `^ *${name} *(, *${name} *)*$`, examples: [fields.slice(0, 2).join(',')] },
  }
}

/** Documented field of a request body. */
export type BodyField = Omit<EndpointParameter, 'in'> & { readonly in: 'body' }

/** Returns the fields of an action's body. */
export function getBodyFields({ body }: Entry): BodyField[] {
  if (body === null) return []
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => {
    const { description = '', ...rest } = schema as Record<string, unknown>
    return { name, in: 'body', required: required.includes(name), description: String(description), schema: rest }
  })
}

/** Returns every parameter of an endpoint: path, query and paging. */
export function getParameters(entry: Entry): EndpointParameter[] {
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).map(([name, schema]) => ownParameter(entry, name, schema))
  return [...own, ...(entry.kind === 'list' ? paging : []), ...(entry.fields.length > 0 ? [trimming(entry)] : [])]
}
