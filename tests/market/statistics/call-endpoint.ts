import type { z } from 'zod'
import { RefusedError } from '#server/api/contract/errors.ts'
import { noCaller } from '#server/api/contract/own-account.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { readParameters } from '#server/api/pipeline/validate.ts'
import type { MarketView } from '#server/market/market-view.ts'
import type { Statistics } from '#server/market/statistics/statistics.ts'

type Row = Record<string, unknown>

/** Calls an endpoint as the request pipeline would, and checks the response strictly against the endpoint's output schema. */
async function read(endpoint: PipelineEndpoint, query: string, statistics: Statistics, page: { limit: number; after: string | null }): Promise<unknown> {
  const { input } = readParameters(endpoint, { endpoint, allow: null, path: {}, search: query, target: '', hint: '' })
  return await endpoint.read(input, page, {
    // These endpoints use only the market's statistics.
    market: { statistics } as unknown as MarketView,
    mode: 'test',
    withLogos: true,
    publicUrl: 'http://localhost',
    requestId: 'req_test',
    ...noCaller,
  })
}

function check(endpoint: PipelineEndpoint, data: unknown): Row {
  const checked = (endpoint.output as z.ZodType<Row>).parse(data)
  if (JSON.stringify(checked) !== JSON.stringify(data)) throw new Error(`The response does not match the output schema: ${JSON.stringify(data)}`)
  return checked
}

export async function callItem(endpoint: PipelineEndpoint, statistics: Statistics, query = ''): Promise<Row> {
  return check(endpoint, await read(endpoint, query, statistics, { limit: 0, after: null }))
}

export async function callList(
  endpoint: PipelineEndpoint,
  statistics: Statistics,
  query: string,
  { limit = 50, after = null }: { limit?: number; after?: string | null } = {},
): Promise<{ rows: Row[]; more: boolean }> {
  const { rows, more } = (await read(endpoint, query, statistics, { limit, after })) as { rows: unknown[]; more: boolean }
  return { rows: rows.map((row) => check(endpoint, row)), more }
}

/** Reads every row of a list page by page. */
export async function callPages(endpoint: PipelineEndpoint, statistics: Statistics, query: string, limit: number): Promise<Row[]> {
  const gathered: Row[] = []
  let after: string | null = null
  for (;;) {
    const { rows, more } = await callList(endpoint, statistics, query, { limit, after })
    gathered.push(...rows)
    if (!more) return gathered
    after = endpoint.getKey(rows.at(-1))
  }
}

/** Returns the error code and message for an invalid query. */
export async function getRefusal(endpoint: PipelineEndpoint, statistics: Statistics, query: string): Promise<string> {
  try {
    await read(endpoint, query, statistics, { limit: 10, after: null })
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.message
    throw error
  }
  throw new Error(`The query "${query}" was not rejected.`)
}
