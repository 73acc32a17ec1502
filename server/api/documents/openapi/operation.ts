import { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { plans } from '#server/api/contract/access.ts'
import { maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { availabilityNow, catalogueLine } from '../catalogue.ts'
import { code, markdownList } from '../docs/write-markdown.ts'
import { type EndpointParameter, getParameters } from '../endpoint-parameters.ts'
import type { PublishedValues } from '../published-values.ts'
import { chargingRules, limitLines } from '../usage-rules.ts'
import { errorReferences } from './error-responses.ts'
import { type ExampleCall, exampleValue } from './examples.ts'
import { fileResponse } from './file-response.ts'
import { headersWith, isAction, requestHeaders } from './headers.ts'
import { type Entry, getGroup, operationId, recordName } from './names.ts'

const paragraphs = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined && part !== '').join('\n\n')

function costText({ price }: Entry, cost: string, money: string | null): string {
  if (price.credits === 0) return 'Free.'
  return `Costs ${cost} (${money}). Test keys are never charged.`
}

function scopeText({ scope }: Entry): string {
  if (scope === 'any-key') return 'Works with any key.'
  if (typeof scope === 'string') return `Needs the scope ${code(scope)}.`
  return `Needs one of these scopes: ${scope.map(code).join(', ')}.`
}

function planText({ plan }: Entry): string {
  return plan === undefined
    ? ''
    : ` Live keys need the ${plans[plan].label} plan; on a lower plan they get ${code('plan_upgrade_required')} and are not charged.`
}

function availabilityText(entry: Entry, facts: PublishedValues, opensAs: string | null): string {
  const available = availabilityNow(entry, facts.overrides)
  if (available === 'coming-soon') {
    const later = opensAs === null ? '' : ` It will be ${opensAs === 'Open' ? 'open to live and test keys' : 'open to test keys first'}.`
    return `Coming soon: announced but not launched. Calls return 404 ${code('not_found')}.${later}`
  }
  const sample = entry.sampled ? ' Test keys read sample data from fictional providers.' : ''
  if (available === 'open') return `Open to live and test keys.${sample}`
  return `Open to test keys only for now: live keys get ${code('endpoint_restricted')} and are not charged.${sample}`
}

/** Returns the description of an operation: purpose, price and availability. */
function operationText(entry: Entry, facts: PublishedValues): string {
  const line = catalogueLine(entry, facts.overrides)
  const { description, when } = entry
  return paragraphs(
    description,
    when === undefined ? undefined : `Use it ${when.endsWith('.') ? when : `${when}.`}`,
    `${costText(entry, line.cost, line.money)} ${scopeText(entry)}${planText(entry)}`,
    availabilityText(entry, facts, line.opensAs),
  )
}

/** Returns the introduction of the OpenAPI document. */
export function introduction({ publicUrl, licence }: PublishedValues): string {
  const limits = limitLines().map(({ name, perMinute, perDay, reach }) => {
    const day = perDay === null ? 'no daily limit' : `${perDay.toLocaleString('en-GB')} per day`
    return `**${name}**: ${perMinute} requests per minute, ${day}. ${reach}.`
  })
  return paragraphs(
    'UK savings rates, providers, offers, cards and market statistics as JSON. Calls are prepaid with credits.',
    'Send your key as `Authorization: Bearer <API_KEY>`. Test keys (`svc_test_…`) read sample data from fictional providers and are never charged; live keys (`svc_live_…`) read real data and spend credits.',
    'Every 2xx response in JSON is an envelope `{ data, meta }`; every error is JSON with `error`, `message`, `requestId` and `docs`.',
    `## Charging\n\n${markdownList(chargingRules().map(({ title, text }) => `**${title}**: ${text}`))}`,
    `## Limits\n\n${markdownList(limits)}`,
    "## Versioning\n\nWithin `v1`, fields, endpoints and parameters can be added, but are never removed or changed: ignore fields that you don't know. Breaking changes ship as `v2`, and `v1` then sends the headers `Deprecation` and `Sunset` for at least six months.",
    `Use of the data is governed by the Data Licence ${licence}. Changes are announced in the [changelog](${publicUrl}/changelog).`,
  )
}

const trimmedSchemas = new Map<z.ZodType, z.ZodType>()

/** Returns the schema of a row that has only the fields named in `fields`, at least one. Null if the endpoint doesn't accept `fields`. */
export function trimmedRow(entry: Entry): z.ZodType | null {
  if (entry.fields.length === 0) return null
  const known = trimmedSchemas.get(entry.output)
  if (known) return known
  const trimmed = (entry.output as z.ZodObject).partial().meta({
    description: `A ${recordName(entry)} with only the fields named in \`fields\`.`,
    minProperties: 1,
  })
  trimmedSchemas.set(entry.output, trimmed)
  return trimmed
}

/** Schema of `meta` for an item, without paging fields. */
export const ItemMeta = Meta.omit({ limit: true, nextCursor: true, updatedUntil: true })
/** Schema of `meta` for a list, with paging fields. */
export const ListMeta = Meta.required({ limit: true, nextCursor: true })

export const securityScheme = 'apiKey'

/**
 * Returns the schema of a row: the full row first, so that it is the default in generated clients, then the row trimmed by `fields`, if the endpoint accepts
 * `fields`.
 */
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
      ...(entry.kind === 'list' ? (['Link'] as const) : []),
      ...(isCut ? (['X-SVC-Limit-Reduced'] as const) : []),
      ...(isPaid || isAction(entry) ? (['X-SVC-Idempotent-Replay'] as const) : []),
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

/** Returns the catalogue data for an endpoint as `x-svc-` extensions. */
function extensions(entry: Entry, example: ExampleCall | null, { overrides }: PublishedValues): Record<`x-svc-${string}`, unknown> {
  const { id, tool, price, scope, plan, sampled, live } = entry
  const line = catalogueLine(entry, overrides)
  const availability = availabilityNow(entry, overrides)
  const intended = overrides.get(id) ?? live
  return {
    'x-svc-price': { credits: price.credits, per: price.per },
    'x-svc-cost': line.cost,
    ...(line.money ? { 'x-svc-money': line.money } : {}),
    'x-svc-scopes': scope === 'any-key' ? [] : [scope].flat(),
    ...(plan === undefined ? {} : { 'x-svc-plan': plan }),
    'x-svc-availability': availability,
    ...(availability === intended ? {} : { 'x-svc-opens-as': intended }),
    'x-svc-sample-data': sampled,
    ...(tool === '' ? {} : { 'x-svc-tool': tool }),
    ...(example ? { 'x-svc-example-call': example.target } : {}),
  }
}

/** Returns the request body of an action; empty if it takes none. */
function requestBody({ body, exampleBody }: Entry): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === null) return {}
  const examples = { sample: { summary: 'Body of the example call.', value: exampleBody } }
  return { requestBody: { required: true, content: { 'application/json': { schema: body, examples } } } }
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
    ...requestBody(entry),
    responses: {
      200: entry.kind === 'file' ? fileResponse(entry, example) : getSuccess(entry, example),
      ...(entry.method === 'GET' || entry.kind === 'planned' ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...errorReferences(isFree),
    },
    ...extensions(entry, example, facts),
  }
}
