import { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { availabilityNow, catalogue } from '../catalogue.ts'
import { type EndpointParameter, getParameters } from '../endpoint-parameters.ts'
import type { PublishedValues } from '../published-values.ts'
import { errorReferences } from './error-responses.ts'
import { type ExampleCall, exampleValue } from './example-call.ts'
import { type Entry, getGroup, operationId } from './names.ts'
import { operationText } from './operation-text.ts'
import { requestHeaders } from './request-headers.ts'
import { headersWith } from './response-headers.ts'
import { trimmedRow } from './trimmed-rows.ts'

/** `meta` of an item, without paging fields, and of a list, with paging fields. */
export const ItemMeta = Meta.omit({ limit: true, nextCursor: true })
export const ListMeta = Meta.required({ limit: true, nextCursor: true })

export const securityScheme = 'apiKey'

/** A full row, or one trimmed by `fields`. The full row comes first, so that generated clients and readers treat it as the default. */
function getRow(entry: Entry): z.ZodType {
  const trimmed = trimmedRow(entry)
  return trimmed === null ? entry.output : z.union([entry.output, trimmed])
}

function getEnvelope(entry: Entry): z.ZodType {
  const { kind, output } = entry
  if (kind === 'list') return z.object({ data: z.array(getRow(entry)).max(maximumLimit), meta: ListMeta })
  if (kind === 'whole') return z.object({ data: z.array(getRow(entry)), meta: ListMeta })
  return z.object({ data: output, meta: ItemMeta })
}

function getSuccess(entry: Entry, example: ExampleCall | null): ZodOpenApiResponseObject {
  const isCut = entry.kind === 'list' && entry.price.per === 'row'
  const isPaid = entry.price.credits > 0
  const described = entry.kind === 'planned' ? 'Response once the endpoint is launched. Its schema will be published then.' : 'Successful response.'
  return {
    description: described,
    headers: headersWith(
      'ETag',
      'X-SVC-Cache',
      ...(isCut ? (['X-SVC-Limit-Reduced'] as const) : []),
      ...(isPaid ? (['X-SVC-Idempotent-Replay'] as const) : []),
    ),
    content: {
      'application/json': {
        schema: getEnvelope(entry),
        ...(example ? { examples: { sample: { summary: 'Response to a test key; lists are shortened here.', value: example.body } } } : {}),
      },
    },
  }
}

/** Converts a query string value to the type in its schema. */
function typed(text: string, { schema }: EndpointParameter): string | number | boolean {
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(text)
  return schema['type'] === 'boolean' ? text === 'true' : text
}

const maxInt32 = 2_147_483_647

/** Adds the format `int32` to integers that fit: without a format, generators pick anything from 32 bits to BigInt. */
function formatted({ examples: _, ...schema }: EndpointParameter['schema']): oas31.SchemaObject {
  const isSmall = schema['type'] === 'integer' && typeof schema['maximum'] === 'number' && schema['maximum'] <= maxInt32
  return isSmall ? { ...schema, format: 'int32' } : schema
}

function parameterObject(parameter: EndpointParameter, example: ExampleCall | null, facts: PublishedValues): oas31.ParameterObject {
  const { name, required, description, schema } = parameter
  const value = exampleValue(parameter, example, facts)
  return { name, in: parameter.in, required, description, schema: formatted(schema), ...(value === undefined ? {} : { example: typed(value, parameter) }) }
}

/** Catalogue data as machine-readable extensions. */
function extensions(entry: Entry, example: ExampleCall | null, { overrides }: PublishedValues): Record<`x-svc-${string}`, unknown> {
  const { id, tool, price, scope, plan, sampled, live } = entry
  const line = catalogue(overrides).find((one) => one.id === id)
  const availability = availabilityNow(entry, overrides)
  const intended = overrides.get(id) ?? live
  return {
    'x-svc-price': { credits: price.credits, per: price.per },
    'x-svc-cost': line?.cost,
    ...(line?.money ? { 'x-svc-money': line.money } : {}),
    'x-svc-scopes': scope === 'any-key' ? [] : [scope].flat(),
    ...(plan === undefined ? {} : { 'x-svc-plan': plan }),
    'x-svc-availability': availability,
    ...(availability === intended ? {} : { 'x-svc-opens-as': intended }),
    'x-svc-sample-data': sampled,
    'x-svc-tool': tool,
    ...(example ? { 'x-svc-example-call': example.target } : {}),
  }
}

/** Builds the operation of an endpoint from its declaration. */
export function getOperation(entry: Entry, example: ExampleCall | null, facts: PublishedValues): ZodOpenApiOperationObject {
  const isFree = entry.price.credits === 0
  return {
    operationId: operationId(entry),
    summary: entry.summary,
    description: operationText(entry, facts),
    tags: [getGroup(entry).name],
    ...(facts.deprecation === null ? {} : { deprecated: true }),
    // Scopes are in the description and in x-svc-scopes: most tools support a list here only for OAuth.
    security: [{ [securityScheme]: [] }],
    parameters: [...getParameters(entry).map((one) => parameterObject(one, example, facts)), ...requestHeaders(entry)],
    responses: {
      200: getSuccess(entry, example),
      304: { $ref: '#/components/responses/NotModified' },
      ...errorReferences(isFree),
    },
    ...extensions(entry, example, facts),
  }
}
