import { z } from 'zod'
import { queryEnum } from '#server/api/contract/query.ts'
import type { ChangesQuery } from '#server/market/changes-query.ts'
import type { CursorPage } from '#server/market/keyset-pager.ts'
import type { Match } from '#server/market/product.ts'
import type { ProductFilters } from '#server/market/product-filters.ts'
import type { NumericSort } from '#server/market/product-sorts.ts'
import { changeParameters, getUpdatedUntil, toChanges } from '../changes.ts'
import { type Context, defineList } from '../define.ts'
import { afterHundredths, afterText, hundredthsKey, type ListCursor, textKey } from '../list-cursor.ts'
import { asOfParameter, atDay, pastTimeoutMs } from '../past-market.ts'
import { amountFilter, payableFilter, productFilters, rateFilters, termFilters, toFilters } from './product-filters.ts'
import { SavingsProduct, toSavingsProduct } from './savings-product.ts'

/** Sort orders of the list. A leading hyphen means highest first. */
const sorts = ['-rate', 'rate', 'provider', 'updatedAt', '-updatedAt', 'minBalance', '-minBalance'] as const satisfies readonly (NumericSort | 'provider')[]

type Sort = (typeof sorts)[number]

type Query = ProductFilters & ChangesQuery & { readonly limit: number }

function toPage<Place>(
  { rows, keys, more }: CursorPage<Match, Place>,
  after: ListCursor<Place> | null,
  toKey: (cursor: ListCursor<Place>) => string,
  context: Context,
) {
  const updatedUntil = getUpdatedUntil(after, context.market.changedAt)
  return { rows: rows.map((match) => toSavingsProduct(match, context)), keys: keys.map((key) => toKey({ ...key, updatedUntil })), more, updatedUntil }
}

function readPage(sort: Sort, query: Query, cursor: string | null, context: Context) {
  const { market } = context
  if (sort === 'provider') {
    const after = afterText(cursor)
    return toPage(market.productsByProvider({ ...query, after }), after, textKey, context)
  }
  const after = afterHundredths(cursor)
  return toPage(market.products({ ...query, sort, after }), after, hundredthsKey, context)
}

export const listRates = defineList({
  id: 'rates.list',
  no: 3,
  path: '/rates',
  tool: 'rates',
  summary: 'List savings products, best rate first.',
  description:
    'Pages stay consistent while rates change: no product is skipped or repeated. The exception is sorting by updatedAt: a product that changes meanwhile moves to the end and may be returned twice. Charged per row, not per page.',
  when: 'to find the best savings accounts by account type, provider, amount, term or name.',
  scope: 'rates:read',
  price: { credits: 1, per: 'row' },
  live: 'open',
  sampled: true,
  buildTimeoutMs: pastTimeoutMs,
  input: z.object({
    ...productFilters,
    amount: amountFilter,
    payable: payableFilter,
    ...rateFilters,
    ...termFilters,
    ...changeParameters,
    asOf: asOfParameter,
    sort: queryEnum(sorts).optional().describe('Sort order. A leading hyphen means descending. Default: "-rate". Ties are broken by sourceKey.'),
  }),
  row: SavingsProduct,
  getKey: ({ rate, sourceKey }) => `${rate} ${sourceKey}`,
  handle: async ({ sort = '-rate', ...input }, { limit, after }, given) => {
    const context = await atDay(given, input)
    const changes = toChanges(input, context.market)
    return readPage(sort, { ...toFilters(input, context.market, changes), ...changes, limit }, after, context)
  },
})
