import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { CallContext, Page, PageRequest } from '#server/api/contract/endpoint.ts'
import { clock } from '#server/clock.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { BuiltPage } from './built-page.ts'
import type { PipelineEndpoint, Reading } from './call.ts'
import type { PageTags } from './page-tags.ts'

type PageContext = CallContext<MarketView, AccountSummary>

function pick(row: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.flatMap((field) => (field in row ? [[field, row[field as keyof typeof row]]] : [])))
}

/** Runs the handler of the endpoint and serialises the result. `variant` (mode and plan-dependent fields) becomes part of the tag. */
export async function buildPage(
  endpoint: PipelineEndpoint,
  reading: Reading,
  page: PageRequest,
  context: PageContext,
  variant: number,
  version: number,
  tags: PageTags,
): Promise<BuiltPage> {
  const result = await endpoint.read(reading.input, page, context)
  const now = clock.now()
  const base = { generatedAt: new Date(now).toISOString(), builtAt: now, version }
  const getTag = (data: string, more: boolean) => tags.of({ target: reading.key, variant, more }, data)
  if (endpoint.kind === 'item') {
    const data = `"data":${JSON.stringify(result)}`
    return { ...base, data, dataBytes: Buffer.byteLength(data), rows: null, keys: [], more: false, tag: getTag(data, false) }
  }
  const { rows, more, keys: ownKeys } = result as Page<object>
  const texts = rows.map((row) => JSON.stringify(reading.fields ? pick(row, reading.fields) : row))
  const keys = endpoint.kind === 'list' ? (ownKeys ?? rows.map((row) => endpoint.getKey(row))) : []
  const data = `"data":[${texts.join(',')}]`
  return { ...base, data, dataBytes: Buffer.byteLength(data), rows: texts, keys, more, tag: getTag(data, more) }
}
