import { expect } from 'vitest'
import { z } from 'zod'
import { noCaller } from '#server/api/contract/own-account.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { readParameters } from '#server/api/pipeline/validate.ts'
import type { MarketView } from '#server/market/snapshot.ts'

export type Row = Record<string, unknown>

export const publicUrl = 'https://api.test'

export function getContext(market: MarketView, facts: Partial<Context> = {}): Context {
  return { market, mode: 'test', withLogos: true, publicUrl, requestId: 'req_test', ...noCaller, ...facts }
}

type Asked = { readonly path?: Record<string, string>; readonly search?: string; readonly after?: string | null; readonly limit?: number }

/** Reads an endpoint as the request pipeline would, with validated parameters, limit and cursor. */
async function readAs(endpoint: PipelineEndpoint, context: Context, { path = {}, search = '', after = null, limit = 50 }: Asked): Promise<unknown> {
  const { input } = readParameters(endpoint, { endpoint, allow: null, path, search, target: '', hint: '' })
  return await endpoint.read(input, { limit, after }, context)
}

/** Checks a response strictly against the endpoint's schema, including field order. */
function checkShape(endpoint: PipelineEndpoint, data: unknown): Row {
  const strict = endpoint.output instanceof z.ZodObject ? endpoint.output.strict() : endpoint.output
  const parsed = strict.parse(data)
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(data))
  return parsed as Row
}

export async function readItem(endpoint: PipelineEndpoint, context: Context, path: Record<string, string>): Promise<Row> {
  return checkShape(endpoint, await readAs(endpoint, context, { path }))
}

/** Reads every row of a list page by page, checking each against the row schema. */
export async function readList(endpoint: PipelineEndpoint, context: Context, search = '', limit = 50): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = null; ; ) {
    const page = (await readAs(endpoint, context, { search, after, limit })) as { rows: Row[]; more: boolean }
    rows.push(...page.rows.map((row) => checkShape(endpoint, row)))
    expect(page.rows.length).toBeLessThanOrEqual(limit)
    const last = page.rows.at(-1)
    if (!page.more || last === undefined) return rows
    after = endpoint.getKey(last)
  }
}
