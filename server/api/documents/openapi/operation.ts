import { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { availabilityNow, catalogue } from '../catalogue.ts'
import { type EndpointParameter, parametersOf } from '../endpoint-parameters.ts'
import type { PublishedFacts } from '../published-facts.ts'
import { errorReferences } from './error-responses.ts'
import { type ExampleCall, exampleValue } from './example-call.ts'
import { type Entry, groupOf, operationId } from './names.ts'
import { requestHeaders } from './request-headers.ts'
import { headersWith } from './response-headers.ts'
import { trimmedRow } from './trimmed-rows.ts'
import { operationWords } from './words.ts'

/** `meta` of a single item and of a list; paging is always there in the one and never in the other. */
export const ItemMeta = Meta.omit({ limit: true, nextCursor: true })
export const ListMeta = Meta.required({ limit: true, nextCursor: true })

export const securityScheme = 'apiKey'

/** A row as it is, or as `fields` leaves it. The whole one comes first: it is what generated clients and readers should take a row for. */
function rowOf(entry: Entry): z.ZodType {
  const trimmed = trimmedRow(entry)
  return trimmed === null ? entry.output : z.union([entry.output, trimmed])
}

function envelopeOf(entry: Entry): z.ZodType {
  const { kind, output } = entry
  if (kind === 'list') return z.object({ data: z.array(rowOf(entry)).max(maximumLimit), meta: ListMeta })
  if (kind === 'whole') return z.object({ data: z.array(rowOf(entry)), meta: ListMeta })
  return z.object({ data: output, meta: ItemMeta })
}

function successOf(entry: Entry, example: ExampleCall | null): ZodOpenApiResponseObject {
  const isCut = entry.kind === 'list' && entry.price.per === 'row'
  const isPaid = entry.price.credits > 0
  const described = entry.kind === 'planned' ? 'The answer once the endpoint is launched. Its shape is published then.' : 'The answer.'
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
        schema: envelopeOf(entry),
        ...(example ? { examples: { sample: { summary: 'Answer to a test key; lists are cut short here.', value: example.body } } } : {}),
      },
    },
  }
}

/** A text of the query as the type that its schema has. */
function typed(text: string, { schema }: EndpointParameter): string | number | boolean {
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(text)
  return schema['type'] === 'boolean' ? text === 'true' : text
}

const mostOfInt32 = 2_147_483_647

/** Numbers that fit are said to: generators take an integer without a format for anything from 32 bits to BigInt. */
function formatted({ examples: _, ...schema }: EndpointParameter['schema']): oas31.SchemaObject {
  const isSmall = schema['type'] === 'integer' && typeof schema['maximum'] === 'number' && schema['maximum'] <= mostOfInt32
  return isSmall ? { ...schema, format: 'int32' } : schema
}

function parameterObject(parameter: EndpointParameter, example: ExampleCall | null, facts: PublishedFacts): oas31.ParameterObject {
  const { name, required, description, schema } = parameter
  const value = exampleValue(parameter, example, facts)
  return { name, in: parameter.in, required, description, schema: formatted(schema), ...(value === undefined ? {} : { example: typed(value, parameter) }) }
}

/** What stands in the catalogue, for programs. */
function extensions(entry: Entry, example: ExampleCall | null, { overrides }: PublishedFacts): Record<`x-svc-${string}`, unknown> {
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

/** The operation of one endpoint, all of it computed from its declaration. */
export function operationOf(entry: Entry, example: ExampleCall | null, facts: PublishedFacts): ZodOpenApiOperationObject {
  const isFree = entry.price.credits === 0
  return {
    operationId: operationId(entry),
    summary: entry.summary,
    description: operationWords(entry, facts),
    tags: [groupOf(entry).name],
    ...(facts.deprecation === null ? {} : { deprecated: true }),
    // Scopes stand in words and in x-svc-scopes: a list here is for OAuth alone in the eyes of most tools.
    security: [{ [securityScheme]: [] }],
    parameters: [...parametersOf(entry).map((one) => parameterObject(one, example, facts)), ...requestHeaders(entry)],
    responses: {
      200: successOf(entry, example),
      304: { $ref: '#/components/responses/NotModified' },
      ...errorReferences(isFree),
    },
    ...extensions(entry, example, facts),
  }
}
