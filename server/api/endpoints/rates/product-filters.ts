import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { queryBoolean, queryEnum, queryInt, queryKeys, queryPence, queryPercent, querySearch, querySlug, queryText } from '#server/api/contract/query.ts'
import type { ChangesQuery } from '#server/market/changes-query.ts'
import { normaliseSearch } from '#server/market/name-search.ts'
import type { interestPayments } from '#server/market/product.ts'
import type { ProductFilters } from '#server/market/product-filters.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { nextForProvider } from '../missing-items.ts'

const maxPence = 100_000_000_000
const maxBp = 10_000
const maxMonths = 1_200
const maxDays = 3_650

/** Interest payment frequencies, by the value used in filters. */
const frequencies = {
  daily: 'Daily',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  'half-yearly': 'Half-yearly',
  annually: 'Annually',
  'at-maturity': 'At maturity',
} as const satisfies Record<string, (typeof interestPayments)[number]>

type Frequency = keyof typeof frequencies

const frequencyValues = Object.keys(frequencies) as [Frequency, ...Frequency[]]

/** Maximum number of keys in `sourceKey`: one full page. */
export const maxKeys = 50

/** Filters shared by all product lists. */
export const productFilters = {
  type: queryEnum(accountTypeValues).optional().describe('Account type. Default: "all".'),
  provider: queryText().optional().describe('Slug of a provider, as in /reference/providers.'),
}

/** Returns a phrase in lower case, with single spaces. */
const normalisePhrase = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/** Filters by the terms and names of products, other than their rates and balances. */
export const termFilters = {
  minTermMonths: queryInt({ min: 1, max: maxMonths }).optional().describe('Minimum term in months. Excludes products without a term.'),
  maxTermMonths: queryInt({ min: 1, max: maxMonths }).optional().describe('Maximum term in months. Excludes products without a term.'),
  maxNoticeDays: queryInt({ min: 1, max: maxDays }).optional().describe('Maximum notice period in days. Excludes products without a notice period.'),
  access: querySearch({ max: 200, example: 'at any time', normalise: normalisePhrase })
    .optional()
    .describe('Phrase contained in the withdrawal terms (`access`). Case-insensitive.'),
  interestPaid: queryEnum(frequencyValues).optional().describe('Interest payment frequency.'),
  newCustomersOnly: queryBoolean().optional().describe('`true` lists only accounts for new customers, `false` only accounts open to everyone.'),
  fscsGroup: querySlug({ max: 160 })
    .optional()
    .describe('Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share one protection limit.'),
  q: querySearch({ max: 100, example: 'easy acess', normalise: normaliseSearch })
    .optional()
    .describe('Words in the name of the account or provider. Matches the start of words and tolerates one or two typos.'),
}

export const amountFilter = queryPence({ max: maxPence })
  .optional()
  .describe('Balance in GBP: only products that accept it are listed. `matchReasons` says whether the amount has to be paid in over time.')

export const payableFilter = queryEnum(['now'])
  .optional()
  .describe(
    'Use `now` to exclude products that cannot accept the whole amount immediately: regular savers with a lower monthly limit, and ISAs with a lower yearly allowance. Needs `amount`.',
  )

/** Filters by rate and balance. They aren't available on lists that don't return rates. */
export const rateFilters = {
  minRate: queryPercent({ max: maxBp }).optional().describe('Minimum rate in percent, including the bonus.'),
  maxRate: queryPercent({ max: maxBp }).optional().describe('Maximum rate in percent, including the bonus.'),
  minBalance: queryPence({ max: maxPence }).optional().describe('Opening balance in GBP. Only products that can be opened with it are listed.'),
  sourceKey: queryKeys({ max: maxKeys })
    .optional()
    .describe(`Product keys separated by commas, at most ${maxKeys}. Unknown and withdrawn products are left out. Set limit to the number of keys.`),
}

/** Parsed filters. */
export type FilterInput = Pick<ProductFilters, 'type' | 'provider' | 'minTermMonths' | 'maxTermMonths' | 'maxNoticeDays' | 'access' | 'newCustomersOnly'> & {
  readonly interestPaid?: Frequency | undefined
  readonly fscsGroup?: string | undefined
  readonly q?: string | undefined
  readonly amount?: number | undefined
  readonly payable?: 'now' | undefined
  readonly minRate?: number | undefined
  readonly maxRate?: number | undefined
  readonly minBalance?: number | undefined
  readonly sourceKey?: readonly string[] | undefined
}

/** Rejects unknown providers. Otherwise, a typo would just give an empty result. */
function checkProvider(slug: string | undefined, market: MarketView, changes: ChangesQuery): void {
  if (slug === undefined || market.hasProvider(slug, changes)) return
  throw invalid(`There is no provider "${slug.slice(0, 60)}".${nextForProvider(slug, market)}`)
}

function checkLicenceGroup(group: string | undefined, market: MarketView, changes: ChangesQuery): void {
  if (group === undefined || market.licenceGroups(changes).has(group)) return
  throw invalid(`There is no FSCS group "${group.slice(0, 60)}".${suggestion(group, market.licenceGroups())} See licenceGroup in /providers.`)
}

function checkRange(minimum: string, from: number | undefined, maximum: string, to: number | undefined): void {
  if (from === undefined || to === undefined || from <= to) return
  throw invalid(`"${minimum}" is higher than "${maximum}". Swap the values, or omit one of them.`)
}

/** Converts filters that were checked earlier. Names that are no longer known match no products. */
export function convertFilters(input: FilterInput): ProductFilters {
  const { type, provider, minRate, maxRate, minTermMonths, maxTermMonths, maxNoticeDays, access, interestPaid, newCustomersOnly } = input
  return {
    ...{ type, provider, minTermMonths, maxTermMonths, maxNoticeDays, access, newCustomersOnly },
    interestPaid: interestPaid && frequencies[interestPaid],
    amountPence: input.amount,
    minRateBp: minRate,
    maxRateBp: maxRate,
    licenceGroup: input.fscsGroup,
    maxMinBalancePence: input.minBalance,
    name: input.q,
    sourceKeys: input.sourceKey,
    payablePence: input.payable && input.amount,
  }
}

/**
 * Checks the filters against the market, and converts them for it. With withdrawn rows, the filters may name providers that became inactive recently.
 * @throws RefusedError (400) that names the parameter.
 */
export function toFilters(input: FilterInput, market: MarketView, changes: ChangesQuery = {}): ProductFilters {
  checkProvider(input.provider, market, changes)
  checkLicenceGroup(input.fscsGroup, market, changes)
  if (input.payable !== undefined && input.amount === undefined) throw invalid('"payable" needs "amount". Give the amount to pay in, or omit "payable".')
  checkRange('minRate', input.minRate, 'maxRate', input.maxRate)
  checkRange('minTermMonths', input.minTermMonths, 'maxTermMonths', input.maxTermMonths)
  return convertFilters(input)
}
