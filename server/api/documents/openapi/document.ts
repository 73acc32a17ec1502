import type { z } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from 'zod-openapi'
import { productName } from '#server/api/contract/product-name.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import type { PublishedValues } from '../published-values.ts'
import { errorResponses, errorSchemaName, errorShapes } from './error-responses.ts'
import { type ExampleCall, exampleCall } from './examples.ts'
import { headerComponents, headerParameters, headersWith } from './headers.ts'
import { getGroup, recordName } from './names.ts'
import { getOperation, ItemMeta, introduction, ListMeta, securityScheme, trimmedRow } from './operation.ts'
import { webhooks, webhookTag } from './webhooks.ts'

/**
 * Removes keywords that Zod adds by default: `additionalProperties`, because fields can be added within a version; the patterns of dates and times, which
 * repeat their format; `base64`, which is not a registered format and is stated by `contentEncoding`; and the bounds of JavaScript integers. Adds `enum` to
 * each `const`, because generators for OpenAPI 3.0 don't know `const`.
 */
const readable: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
  if (jsonSchema.format === 'base64') delete jsonSchema.format
  if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const]
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** Returns the schemas by name: each record, its variant trimmed by `fields`, and each error. Records are named after the first endpoint that returns them. */
function schemas(): Record<string, z.ZodType> {
  const launched = allEndpoints.filter(({ kind }) => kind !== 'planned')
  const records = new Map<z.ZodType, string>()
  for (const entry of launched) {
    const trimmed = trimmedRow(entry)
    if (!records.has(entry.output)) records.set(entry.output, recordName(entry))
    if (trimmed !== null) records.set(trimmed, `${records.get(entry.output)}Fields`)
  }
  const named = [...records].map(([schema, name]) => [name, schema] as const)
  const faults = [...errorShapes].map(([code, schema]) => [errorSchemaName(code), schema] as const)
  return { Meta: ItemMeta, ListMeta, ...Object.fromEntries(named), ...Object.fromEntries(faults) }
}

function paths(examples: ReadonlyMap<string, ExampleCall | null>, facts: PublishedValues): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {}
  for (const entry of allEndpoints) {
    all[entry.path] = { ...all[entry.path], [entry.method.toLowerCase()]: getOperation(entry, examples.get(entry.id) ?? null, facts) }
  }
  return all
}

function components(facts: PublishedValues): NonNullable<ZodOpenApiObject['components']> {
  return {
    securitySchemes: {
      [securityScheme]: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'API key',
        description: 'Test key (`svc_test_…`) or live key (`svc_live_…`). Keys in the query or in other headers are ignored.',
      },
    },
    schemas: schemas(),
    parameters: headerParameters,
    headers: headerComponents,
    responses: {
      NotModified: { description: 'The data has not changed since the response with this ETag. No body, no charge.', headers: headersWith('ETag') },
      ...errorResponses(facts),
    },
  }
}

function info({ publicUrl, ...facts }: PublishedValues): ZodOpenApiObject['info'] {
  const licence = `${publicUrl}/licence/${facts.licence}`
  return {
    title: productName,
    version: 'v1',
    description: introduction({ publicUrl, ...facts }),
    contact: { name: productName, url: publicUrl },
    license: { name: `Data Licence ${facts.licence}`, url: licence },
    termsOfService: licence,
    ...(facts.deprecation === null ? {} : { 'x-svc-deprecation': facts.deprecation }),
    ...(facts.sunset === null ? {} : { 'x-svc-sunset': facts.sunset }),
  }
}

/** Builds the OpenAPI document of v1. All of it is derived from the code: endpoints, errors, prices, limits and examples. */
export async function openApiDocument(facts: PublishedValues): Promise<object> {
  const examples = new Map<string, ExampleCall | null>()
  for (const entry of allEndpoints) examples.set(entry.id, await exampleCall(entry, facts))
  const groups = new Map(allEndpoints.map(getGroup).map((group) => [group.name, group]))
  return createDocument(
    {
      openapi: '3.1.1',
      info: info(facts),
      servers: [{ url: `${facts.publicUrl}/v1`, description: facts.publicUrl.startsWith('https:') ? 'Production' : 'Local', 'x-internal': false }],
      tags: [...groups.values(), webhookTag],
      paths: paths(examples, facts),
      webhooks: webhooks({ calls: examples, publicUrl: facts.publicUrl }),
      components: components(facts),
    },
    { override: readable },
  )
}
