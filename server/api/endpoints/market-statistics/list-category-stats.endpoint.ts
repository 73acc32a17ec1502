import { z } from 'zod'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import type { CategoryFigures } from '#server/market/figures/category-figures.ts'
import { pageAfter } from '#server/market/keyset-pager.ts'
import { defineList } from '../define.ts'
import { orNull, toRecord } from '../record-fields.ts'
import { marketAsOf, percent, withheld } from './statistic-fields.ts'

const rate = (meaning: string) => percent.nullable().describe(`${meaning}, AER in percent with two decimals; null if there are no products.`)
const share = (meaning: string) =>
  percent.nullable().describe(`Percentage of products ${meaning}, rounded half up to two decimals; null if there are no products.`)

const CategoryStat = z.object({
  accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
  productCount: z.int().describe('Number of listed products.'),
  providerCount: z.int().describe('Number of providers with products of this type.'),
  minRate: rate('Lowest rate'),
  maxRate: rate('Highest rate'),
  averageRate: percent.nullable().describe(`Average rate, AER in percent, rounded half up to two decimals; ${withheld}`),
  percentile90Rate: rate('90th percentile of the rates (nearest rank)'),
  newCustomersOnlyShare: share('for new customers only'),
  withBonusShare: share('with a bonus in the rate'),
  changesLast30Days: z
    .int()
    .describe('Number of rate, base rate and bonus changes in the last 30 days (UK time), including today. Excludes launches and withdrawals.'),
  fscsShare: share('protected by the Financial Services Compensation Scheme'),
  asOf: marketAsOf,
})

const toCategory = (row: CategoryFigures, { changesLast30Days, asOf }: { changesLast30Days: number; asOf: string | null }) =>
  toRecord(CategoryStat, {
    ...row,
    minRate: orNull(row.minBp),
    maxRate: orNull(row.maxBp),
    averageRate: orNull(row.averageBp),
    percentile90Rate: orNull(row.percentile90Bp),
    newCustomersOnlyShare: orNull(row.newCustomersOnlyShareBp),
    withBonusShare: orNull(row.withBonusShareBp),
    changesLast30Days,
    fscsShare: orNull(row.fscsShareBp),
    asOf,
  })

/** Returns the sort position of an account type, in contract order. Null sorts first, at -1. */
const getPlace = (accountType: string | null) => (accountTypeValues as readonly (string | null)[]).indexOf(accountType)

export const listCategoryStats = defineList({
  id: 'market.category-stats',
  no: 26,
  path: '/market/category-stats',
  tool: 'market_category_stats',
  summary: 'Get summary statistics by account type.',
  description: 'One row per account type, including types without products.',
  when: 'to compare account types.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  row: CategoryStat,
  getKey: (row) => row.accountType,
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const { rows, more } = pageAfter(figures.categories(), limit, (row) => getPlace(row.accountType) > getPlace(after))
    return { rows: rows.map((row) => toCategory(row, { changesLast30Days: figures.changesLast30Days(row.accountType), asOf: figures.asOf })), more }
  },
})
