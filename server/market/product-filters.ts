import type { AccountType } from '#server/api/contract/account-types.ts'
import type { TaxYear } from './calculators/tax-year.ts'
import type { NameSearch } from './name-search.ts'
import { yearlyAllowance } from './payable.ts'
import type { Product } from './product.ts'
import type { Condition, ProductTable } from './product-table.ts'

/** Filters for products. Undefined filters match every product. Rates in basis points, amounts in pence. */
export type ProductFilters = {
  readonly type?: AccountType | undefined
  /** Provider slug. An unknown slug matches no products. */
  readonly provider?: string | undefined
  /** Balance that the product accepts. */
  readonly amountPence?: number | undefined
  readonly minRateBp?: number | undefined
  readonly maxRateBp?: number | undefined
  /** Products without a term don't match. */
  readonly minTermMonths?: number | undefined
  readonly maxTermMonths?: number | undefined
  /** Products without a notice period don't match. */
  readonly maxNoticeDays?: number | undefined
  /** Part of the withdrawal terms. Case-insensitive. */
  readonly access?: string | undefined
  readonly interestPaid?: string | undefined
  readonly newCustomersOnly?: boolean | undefined
  /** Licence group of the provider. */
  readonly licenceGroup?: string | undefined
  /** Highest minimum balance. */
  readonly maxMinBalancePence?: number | undefined
  /** Words of the account's or the provider's name. */
  readonly name?: string | undefined
  readonly sourceKeys?: readonly string[] | undefined
  /** Amount of new money that the product accepts at once. */
  readonly payablePence?: number | undefined
}

/** Filters on a table of products. */
export type TableFilters = ProductFilters & {
  /** Time of change, ISO 8601 UTC with milliseconds. */
  readonly changedAfter?: string | undefined
}

/** Filters other than those for which sorted lists are stored. */
type OtherFilters = Omit<ProductFilters, 'type' | 'provider' | 'amountPence'>

const noFilters: { readonly [Name in keyof OtherFilters]-?: undefined } = {
  minRateBp: undefined,
  maxRateBp: undefined,
  minTermMonths: undefined,
  maxTermMonths: undefined,
  maxNoticeDays: undefined,
  access: undefined,
  interestPaid: undefined,
  newCustomersOnly: undefined,
  licenceGroup: undefined,
  maxMinBalancePence: undefined,
  name: undefined,
  sourceKeys: undefined,
  payablePence: undefined,
}

const otherNames = Object.keys(noFilters) as (keyof OtherFilters)[]

/** True if a query has filters other than type, provider and amount. */
export const hasOtherFilters = (filters: ProductFilters): boolean => otherNames.some((name) => filters[name] !== undefined)

/** Returns a key that is the same only for conditions that match the same products. JSON, because some keys contain text sent by callers. */
export const conditionsKey = (conditions: readonly NamedCondition[]): string => JSON.stringify(conditions.map(({ name, key }) => [name, key]))

/** True if a product accepts a balance. */
export const accepts = ({ minBalancePence, maxBalancePence }: Pick<Product, 'minBalancePence' | 'maxBalancePence'>, amountPence: number): boolean =>
  amountPence >= minBalancePence && (maxBalancePence === null || amountPence <= maxBalancePence)

const within = (value: number, { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number | undefined; to?: number | undefined }) =>
  value >= from && value <= to

export type Lookups = {
  readonly search: () => NameSearch
  /** Returns the licence group of a provider. */
  readonly licenceGroup: (providerSlug: string) => string | undefined
  readonly taxYear: TaxYear
}

type Given = { readonly [Name in keyof TableFilters]-?: Exclude<TableFilters[Name], undefined> }

/** Condition of each filter. */
const conditions: { readonly [Name in keyof TableFilters]-?: (table: ProductTable, value: Given[Name], lookups: Lookups) => Condition[] } = {
  // Times in this format can be compared as text.
  changedAfter: (table, time) => [table.column('updatedAt').where((updatedAt) => updatedAt > time)],
  sourceKeys: (table, keys) => [table.whereKey(keys)],
  type: (table, type) => (type === 'all' ? [] : [table.column('accountType').where((value) => value === type)]),
  provider: (table, slug) => [table.column('providerSlug').where((value) => value === slug)],
  licenceGroup: (table, group, lookups) => [table.column('providerSlug').where((slug) => lookups.licenceGroup(slug) === group)],
  minRateBp: (table, from) => [table.column('rateBp').where((rate) => within(rate, { from }))],
  maxRateBp: (table, to) => [table.column('rateBp').where((rate) => within(rate, { to }))],
  minTermMonths: (table, from) => [table.column('termMonths').where((term) => term !== null && within(term, { from }))],
  maxTermMonths: (table, to) => [table.column('termMonths').where((term) => term !== null && within(term, { to }))],
  maxNoticeDays: (table, to) => [table.column('noticeDays').where((days) => days !== null && within(days, { to }))],
  access: (table, text) => [table.column('access').where((access) => access.toLowerCase().includes(text.toLowerCase()))],
  interestPaid: (table, wanted) => [table.column('interestPaid').where((value) => value === wanted)],
  newCustomersOnly: (table, wanted) => [table.column('newCustomersOnly').where((value) => value === wanted)],
  maxMinBalancePence: (table, to) => [table.column('minBalancePence').where((balance) => within(balance, { to }))],
  amountPence: (table, amount) => [
    table.column('minBalancePence').where((balance) => balance <= amount),
    table.column('maxBalancePence').where((balance) => balance === null || balance >= amount),
  ],
  payablePence: (table, amount, { taxYear }) => [
    table.column('maxMonthlyDepositPence').where((deposit) => deposit === null || deposit >= amount),
    table.column('accountType').where((type) => (yearlyAllowance(type, taxYear) ?? amount) >= amount),
  ],
  name: (_table, text, { search }) => [search().where(text)],
}

/** Condition of a filter. Filters with two conditions number them. */
type NamedCondition = Condition & { readonly name: string }

/** Returns the conditions of the given filters. */
export function getConditions(table: ProductTable, filters: TableFilters, lookups: Lookups): NamedCondition[] {
  const names = Object.keys(conditions) as (keyof TableFilters)[]
  return names.flatMap((name) => {
    const value = filters[name]
    if (value === undefined) return []
    const getCondition = conditions[name] as (table: ProductTable, value: unknown, lookups: Lookups) => Condition[]
    return getCondition(table, value, lookups).map((condition, index) => ({ ...condition, name: `${name}${index}` }))
  })
}
