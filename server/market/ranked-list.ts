import { type AccountType, accountTypes } from '#server/api/contract/account-types.ts'
import type { TaxYear } from './calculators/tax-year.ts'
import { grouped, ordinal, percent, pounds } from './decimal.ts'
import { firstPast, type ListOrder } from './keyset-pager.ts'
import { payableReason, yearlyAllowance } from './payable.ts'
import type { Product } from './product.ts'
import { accepts, hasOtherFilters, type ProductFilters } from './product-filters.ts'

/** Sorts products by rate, best first. */
export const rateOrder: ListOrder<Product, number> = {
  sortValue: ({ rateBp }) => rateBp,
  getKey: ({ sourceKey }) => sourceKey,
  compare: (a, b) => b - a,
}

/** Rank of a rate in a sorted list: its place from 1 (equal rates share a place), the number of products sharing the place, and the length of the list. */
type RateRank = { readonly place: number; readonly sharing: number; readonly of: number }

/** Returns the rank of a rate among rows sorted best first, using two binary searches. At least one row must have this rate. */
export function rankRate(rows: readonly Pick<Product, 'rateBp'>[], rateBp: number): RateRank {
  const first = firstPast(rows, (row) => row.rateBp <= rateBp)
  const behind = firstPast(rows, (row) => row.rateBp < rateBp)
  return { place: first + 1, sharing: behind - first, of: rows.length }
}

/**
 * Lists filtered to the products that accept a balance, in their original order. All amounts between two adjacent balance limits are accepted by the same
 * products, and a market has few distinct limits, so each filtered list is computed once and cached. Beyond `maximumRows` cached rows, counting one extra row
 * per list, the least recently used list is evicted.
 */
export class AcceptingLists {
  readonly #maximumRows: number
  readonly #limits = new Map<string, readonly number[]>()
  readonly #filtered = new Map<string, readonly Product[]>()
  #cachedRows = 0

  constructor(maximumRows: number) {
    this.#maximumRows = maximumRows
  }

  /** Returns the rows that accept the amount. `name` identifies the list in the cache. */
  of(name: string, rows: readonly Product[], amountPence: number): readonly Product[] {
    const limits = this.#getLimits(name, rows)
    const key = `${name} ${firstPast(limits, (limit) => limit > amountPence)}`
    const cached = this.#filtered.get(key)
    const filtered = cached ?? rows.filter((product) => accepts(product, amountPence))
    if (cached) this.#filtered.delete(key)
    else this.#cachedRows += filtered.length + 1
    this.#filtered.set(key, filtered)
    this.#evict()
    return filtered
  }

  /** Returns the amounts at which the set of accepting products changes, in ascending order. */
  #getLimits(name: string, rows: readonly Product[]): readonly number[] {
    const known = this.#limits.get(name)
    if (known) return known
    const limits = new Set<number>()
    for (const { minBalancePence, maxBalancePence } of rows) {
      limits.add(minBalancePence)
      if (maxBalancePence !== null) limits.add(maxBalancePence + 1)
    }
    const sorted = [...limits].sort((a, b) => a - b)
    this.#limits.set(name, sorted)
    return sorted
  }

  #evict(): void {
    for (const [key, filtered] of this.#filtered) {
      if (this.#cachedRows <= this.#maximumRows) return
      this.#filtered.delete(key)
      this.#cachedRows -= filtered.length + 1
    }
  }
}

/** Parts of the caller's query that appear in the match reasons. */
export type Asked = ProductFilters & {
  /** Type of the accounts among which the product is ranked. */
  readonly among: AccountType
  /** Requested type, or `all`; omitted for a single product, which is not the result of a list query. */
  readonly type?: AccountType | undefined
  /** Display name of the requested provider. */
  readonly provider?: string | undefined
  /** Current tax year. If omitted, limits on new money aren't explained. */
  readonly taxYear?: TaxYear | undefined
}

const nouns: Record<AccountType, readonly [one: string, many: string]> = {
  all: ['savings account', 'savings accounts'],
  'easy-access': ['easy-access account', 'easy-access accounts'],
  'fixed-rate': ['fixed-rate account', 'fixed-rate accounts'],
  notice: ['notice account', 'notice accounts'],
  'cash-isa': ['cash ISA', 'cash ISAs'],
  'junior-isa': ['junior ISA', 'junior ISAs'],
  'lifetime-isa': ['lifetime ISA', 'lifetime ISAs'],
  'stocks-shares-isa': ['stocks and shares ISA', 'stocks and shares ISAs'],
  'regular-saver': ['regular saver', 'regular savers'],
  'childrens-savings': ["children's savings account", "children's savings accounts"],
}

/** Describes a rank: `Ranks 3rd by rate of 214 easy-access accounts`, `Ranks joint 1st by rate of 12 cash ISAs from Harrow Vale`. */
function rankReason(rank: RateRank, asked: Asked): string {
  const [one, many] = nouns[asked.among]
  const from = asked.provider === undefined ? '' : ` from ${asked.provider}`
  if (rank.of === 1) return `The only ${one}${from}${accepting(asked, 'one')}`
  const place = rank.sharing > 1 ? `joint ${ordinal(rank.place)}` : ordinal(rank.place)
  return `Ranks ${place} by rate of ${grouped(rank.of)} ${many}${from}${accepting(asked, 'many')}`
}

function accepting(asked: Asked, number: 'one' | 'many'): string {
  const { amountPence } = asked
  const [accept, match] = number === 'one' ? ['accepts', 'matches'] : ['accept', 'match']
  const conditions = [
    ...(amountPence === undefined ? [] : [`${accept} ${pounds(amountPence)}`]),
    ...(hasOtherFilters(asked) ? [`${match} ${amountPence === undefined ? 'the' : 'the other'} filters`] : []),
  ]
  return conditions.length === 0 ? '' : ` that ${conditions.join(' and ')}`
}

function balanceReason(product: Product, amountPence: number): string {
  const top = product.maxBalancePence === null ? 'with no maximum' : `to ${pounds(product.maxBalancePence)}`
  return `Accepts a balance of ${pounds(amountPence)}: from ${pounds(product.minBalancePence)} ${top}`
}

/** Account types with a separate yearly allowance. */
const ownAllowance: ReadonlySet<string> = new Set(['lifetime-isa', 'junior-isa'])

/** Explains whether the amount can be paid in at once, and how much can be paid in a tax year. */
function newMoneyReasons(product: Product, { amountPence, payablePence, taxYear }: Asked): string[] {
  if (payablePence !== undefined) return [`Takes ${pounds(payablePence)} of new money at once`]
  const reason = amountPence === undefined || taxYear === undefined ? null : payableReason(product, amountPence, taxYear)
  if (reason !== null) return [reason]
  // The allowances of adult ISAs are shared with other accounts; those of lifetime and junior ISAs apply to the account alone.
  const allowance = taxYear !== undefined && ownAllowance.has(product.accountType) ? yearlyAllowance(product.accountType, taxYear) : null
  return allowance === null ? [] : [`Yearly allowance: ${pounds(allowance)} of new money a tax year`]
}

function bonusReason(product: Product): string {
  const lasts = product.boostDuration === null ? '' : ` for ${product.boostDuration}`
  return `Includes a ${percent(product.boostRateBp)} bonus${lasts}; ${percent(product.baseRateBp)} after`
}

function rateReason(product: Product, { minRateBp, maxRateBp }: ProductFilters): string {
  const rate = `Rate ${percent(product.rateBp)}`
  if (minRateBp === undefined) return `${rate}: at most ${percent(maxRateBp ?? 0)}`
  return maxRateBp === undefined ? `${rate}: at least ${percent(minRateBp)}` : `${rate}: from ${percent(minRateBp)} to ${percent(maxRateBp)}`
}

const days = (count: number | null) => `${count} ${count === 1 ? 'day' : 'days'}`
const months = (count: number | null) => `${count} ${count === 1 ? 'month' : 'months'}`

/** Returns a reason for each filter that a product matched, apart from type, provider and amount. */
function filterReasons(product: Product, asked: ProductFilters): string[] {
  const { minRateBp, maxRateBp, minTermMonths, maxTermMonths, maxMinBalancePence, newCustomersOnly } = asked
  const reasons: readonly (readonly [isAsked: boolean, reason: () => string])[] = [
    [minRateBp !== undefined || maxRateBp !== undefined, () => rateReason(product, asked)],
    [minTermMonths !== undefined || maxTermMonths !== undefined, () => `Term: ${months(product.termMonths)}`],
    [asked.maxNoticeDays !== undefined, () => `Notice: ${days(product.noticeDays)}`],
    [asked.access !== undefined, () => `Access: ${product.access}`],
    [asked.interestPaid !== undefined, () => `Interest paid: ${product.interestPaid}`],
    [newCustomersOnly !== undefined, () => (product.newCustomersOnly ? 'New customers only' : 'Open to new and existing customers')],
    [asked.licenceGroup !== undefined, () => `Protection group: ${asked.licenceGroup}`],
    [maxMinBalancePence !== undefined, () => `Minimum balance: ${pounds(product.minBalancePence)}`],
    [asked.name !== undefined, () => `Name: ${product.accountName}, ${product.provider}`],
  ]
  return reasons.flatMap(([isAsked, reason]) => (isAsked ? [reason()] : []))
}

/**
 * Explains in plain English why a product is in the result: its rank by rate among the requested accounts, the filters it matched, its bonus, its
 * protection. Facts only, no judgements.
 */
export function matchReasons(product: Product, rank: RateRank, asked: Asked): string[] {
  const reasons = [rankReason(rank, asked)]
  if (asked.type !== undefined && asked.type !== 'all') reasons.push(`Account type: ${accountTypes[asked.type].label}`)
  if (asked.provider !== undefined) reasons.push(`Provider: ${asked.provider}`)
  if (asked.amountPence !== undefined) reasons.push(balanceReason(product, asked.amountPence))
  reasons.push(...newMoneyReasons(product, asked), ...filterReasons(product, asked))
  if (product.boostRateBp > 0) reasons.push(bonusReason(product))
  reasons.push(product.fscsDetails)
  return reasons
}
