import type { z } from 'zod'
import { RefusedError } from '#server/api/contract/errors.ts'
import { noCaller } from '#server/api/contract/own-account.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { readParameters } from '#server/api/pipeline/validate.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Product } from '#server/market/product.ts'
import type { Provider } from '#server/market/provider.ts'

export type Market = { readonly products?: readonly Product[]; readonly providers?: readonly Provider[] }

/** Calls an endpoint as the request pipeline would, and checks the response strictly against the endpoint's output schema, including field order. */
export async function callEndpoint(
  endpoint: PipelineEndpoint,
  query: string,
  { products = [], providers = [] }: Market = {},
): Promise<Record<string, unknown>> {
  const { input } = readParameters(endpoint, { endpoint, allow: null, path: {}, search: query, target: '', hint: '' })
  const data = await endpoint.read(
    input,
    { limit: 0, after: null },
    {
      market: new MarketView({ products, providers, cards: [] }),
      mode: 'test',
      withLogos: true,
      publicUrl: 'http://localhost',
      requestId: 'req_test',
      ...noCaller,
    },
  )
  const checked = (endpoint.output as z.ZodType<Record<string, unknown>>).parse(data)
  if (JSON.stringify(checked) !== JSON.stringify(data)) throw new Error(`The response does not match the output schema: ${JSON.stringify(data)}`)
  return checked
}

/** Returns the error code and message for an invalid query. */
export async function getRefusal(endpoint: PipelineEndpoint, query: string, market: Market = {}): Promise<string> {
  try {
    await callEndpoint(endpoint, query, market)
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
  throw new Error(`The query "${query}" was not rejected.`)
}
