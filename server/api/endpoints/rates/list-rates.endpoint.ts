import { z } from 'zod'
import { queryEnum } from '#server/api/contract/query.ts'
import type { ChangesQuery } from '#server/market/changes-query.ts'
import type { CursorPage } from '#server/market/keyset-pager.ts'
import type { Match } from '#server/market/product.ts'
import type { ProductFilters } from '#server/market/product-filters.ts'
import type { NumericSort } from '#server/market/product-sorts.ts'
import { changeParameters, toChanges } from '../changes.ts'
import { type Context, defineList } from '../define.ts'
import { afterHundredths, afterText, hundredthsKey, textKey } from '../list-cursor.ts'
import { amountFilter, payableFilter, productFilters, rateFilters, termFilters, toFilters } from './product-filters.ts'
import { SavingsProduct, toSavingsProduct } from './savings-product.ts'

/** Sort orders of the list. A leading hyphen means highest first. */
const sorts = ['-rate', 'rate', 'provider', 'updatedAt', '-updatedAt', 'minBalance', '-minBalance'] as const satisfies readonly (NumericSort | 'provider')[]

type Sort = (typeof sorts)[number]

type Query = ProductFilters & ChangesQuery & { readonly limit: number }

function toPage<Place>({ rows, keys, more }: CursorPage<Match, Place>, toKey: (cursor: CursorPage<Match, Place>['keys'][number]) => string, context: Context) {
  return { rows: rows.map((match) => toSavingsProduct(match, context)), keys: keys.map(toKey), more }
}

function readPage(sort: Sort, query: Query, after: string | null, context: Context) {
  const { market } = context
  if (sort === 'provider') return toPage(market.productsByProvider({ ...query, after: afterText(after) }), textKey, context)
  return toPage(market.products({ ...query, sort, after: afterHundredths(after) }), hundredthsKey, context)
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
  input: z.object({
    ...productFilters,
    amount: amountFilter,
    payable: payableFilter,
    ...rateFilters,
    ...termFilters,
    ...changeParameters,
    sort: queryEnum(sorts).optional().describe('Order. A leading hyphen means highest first. Default: "-rate". Ties are broken by sourceKey.'),
  }),
  row: SavingsProduct,
  getKey: ({ rate, sourceKey }) => `${rate} ${sourceKey}`,
  handle: ({ sort = '-rate', ...input }, { limit, after }, context) =>
    readPage(sort, { ...toFilters(input, context.market), ...toChanges(input), limit }, after, context),
})
