import type { z } from 'zod'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { parameterSchema, parameterWords } from '#server/api/contract/query.ts'
import type { registry } from '#server/api/endpoints/registry.ts'

type Entry = (typeof registry)[number]

/** A parameter of a call as documentation and clients need it. */
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
    description: parameterWords(schema),
    schema: parameterSchema(schema),
  }
}

/** What every list in pages takes besides its own parameters and `fields`. */
const paging: readonly EndpointParameter[] = [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: `Rows on a page: ${defaultLimit} unless given, ${maximumLimit} at most. More is cut to ${maximumLimit}; meta.limit says what was applied.`,
    schema: { type: 'integer', minimum: 1, default: defaultLimit },
  },
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^[A-Za-z0-9_-]+$' },
  },
]

function trimming({ fields }: Entry): EndpointParameter {
  const name = `(${fields.join('|')})`
  return {
    name: 'fields',
    in: 'query',
    required: false,
    description: `Names of fields with commas between them: every row is trimmed to these. Known: ${fields.join(', ')}.`,
    schema: { type: 'string', minLength: 1, maxLength: 2_000, pattern: `^ *${name} *(, *${name} *)*$`, examples: [fields.slice(0, 2).join(',')] },
  }
}

/** Every parameter of an endpoint: those of its path, those of its query, and what lists add. */
export function parametersOf(entry: Entry): EndpointParameter[] {
  const own = Object.entries(entry.input.shape as Record<string, z.ZodType>).map(([name, schema]) => ownParameter(entry, name, schema))
  return [...own, ...(entry.kind === 'list' ? paging : []), ...(entry.fields.length > 0 ? [trimming(entry)] : [])]
}
