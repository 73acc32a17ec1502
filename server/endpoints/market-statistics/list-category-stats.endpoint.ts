import { z } from 'zod'
import { accountTypeValues } from '../../contract/account-types.ts'
import { perRequest } from '../../contract/prices.ts'
import type { CategoryFigures } from '../../market/figures/category-figures.ts'
import { pageAfter } from '../../market/page-after.ts'
import { defineList } from '../define.ts'
import { marketAsOf, percent, percentOrNull, withheld } from './statistic-fields.ts'

const rate = (meaning: string) => percent.nullable().describe(`${meaning}, AER in percent with two decimals; null without products.`)
const share = (meaning: string) => percent.nullable().describe(`Percent of the products ${meaning}, rounded half up to two decimals; null without products.`)

const CategoryStat = z.object({
  accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
  productCount: z.int().describe('Products that are listed.'),
  providerCount: z.int().describe('Providers that offer them.'),
  minRate: rate('Lowest rate'),
  maxRate: rate('Highest rate'),
  averageRate: percent.nullable().describe(`Mean of the rates, AER in percent, rounded half up to two decimals; ${withheld}`),
  percentile90Rate: rate('Smallest rate that at least 90 of 100 products do not exceed'),
  newCustomersOnlyShare: share('that only new customers may open'),
  withBonusShare: share('whose rate includes a bonus'),
  changesLast30Days: z.int().describe('Changes of rate, base or bonus today and on the 29 days before, days in London; launches and withdrawals do not count.'),
  fscsShare: share('whose provider has its deposits in the Financial Services Compensation Scheme'),
  asOf: marketAsOf,
})

function toCategory(row: CategoryFigures, { changesLast30Days, asOf }: { changesLast30Days: number; asOf: string | null }): z.infer<typeof CategoryStat> {
  return {
    accountType: row.accountType,
    productCount: row.productCount,
    providerCount: row.providerCount,
    minRate: percentOrNull(row.minBp),
    maxRate: percentOrNull(row.maxBp),
    averageRate: percentOrNull(row.averageBp),
    percentile90Rate: percentOrNull(row.percentile90Bp),
    newCustomersOnlyShare: percentOrNull(row.newCustomersOnlyShareBp),
    withBonusShare: percentOrNull(row.withBonusShareBp),
    changesLast30Days,
    fscsShare: percentOrNull(row.fscsShareBp),
    asOf,
  }
}

/** The order of the contract; nothing stands before all of it. */
const placeOf = (accountType: string | null) => (accountTypeValues as readonly (string | null)[]).indexOf(accountType)

export const listCategoryStats = defineList({
  id: 'market.category-stats',
  no: 26,
  path: '/market/category-stats',
  tool: 'market_category_stats',
  summary: 'List what the products of each account type come to.',
  description: 'A row for each account type, also for one without products.',
  when: 'to compare the account types with each other.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({}),
  row: CategoryStat,
  keyOf: (row) => row.accountType,
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const { rows, more } = pageAfter(figures.categories(), limit, (row) => placeOf(row.accountType) > placeOf(after))
    return { rows: rows.map((row) => toCategory(row, { changesLast30Days: figures.changesLast30Days(row.accountType), asOf: figures.asOf })), more }
  },
})
