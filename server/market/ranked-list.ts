import { type AccountType, accountTypes } from '#server/api/contract/account-types.ts'
import { grouped, ordinal, percent, pounds } from './decimal.ts'
import { firstPast, type ListOrder } from './keyset-pager.ts'
import type { Product } from './product.ts'

/** Best rate first. */
export const rateOrder: ListOrder<Product, number> = {
  sortValue: ({ rateBp }) => rateBp,
  getKey: ({ sourceKey }) => sourceKey,
  compare: (a, b) => b - a,
}

/** Rank of a rate in a sorted list: its place from 1 (equal rates share a place), the number of products sharing the place, and the length of the list. */
type RateRank = { readonly place: number; readonly sharing: number; readonly of: number }

/** Ranks a rate that is in the rows, using two binary searches. */
export function rankRate(rows: readonly Pick<Product, 'rateBp'>[], rateBp: number): RateRank {
  const first = firstPast(rows, (row) => row.rateBp <= rateBp)
  const behind = firstPast(rows, (row) => row.rateBp < rateBp)
  return { place: first + 1, sharing: behind - first, of: rows.length }
}

function accepts(product: Product, amountPence: number): boolean {
  return amountPence >= product.minBalancePence && (product.maxBalancePence === null || amountPence <= product.maxBalancePence)
}

/**
 * Lists filtered to the products that accept a balance, in their original order. All amounts between two adjacent balance limits are accepted by the same
 * products, and a market has few distinct limits, so each filtered list is computed once and cached. Beyond `maximumRows` cached rows (each list counts as one
 * extra), the least recently used list is evicted.
 */
export class AcceptingLists {
  readonly #maximumRows: number
  readonly #limits = new Map<string, readonly number[]>()
  readonly #cuts = new Map<string, readonly Product[]>()
  #keptRows = 0

  constructor(maximumRows: number) {
    this.#maximumRows = maximumRows
  }

  /** Rows that accept the amount; `name` identifies the list. */
  of(name: string, rows: readonly Product[], amountPence: number): readonly Product[] {
    const limits = this.#getLimits(name, rows)
    const key = `${name} ${firstPast(limits, (limit) => limit > amountPence)}`
    const kept = this.#cuts.get(key)
    const cut = kept ?? rows.filter((product) => accepts(product, amountPence))
    if (kept) this.#cuts.delete(key)
    else this.#keptRows += cut.length + 1
    this.#cuts.set(key, cut)
    this.#dropUnused()
    return cut
  }

  /** Amounts at which the set of accepting products changes, ascending. */
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

  #dropUnused(): void {
    for (const [key, cut] of this.#cuts) {
      if (this.#keptRows <= this.#maximumRows) return
      this.#cuts.delete(key)
      this.#keptRows -= cut.length + 1
    }
  }
}

/** Parts of the caller's query that the match reasons mention. */
export type Asked = {
  /** Type of the accounts among which the product is ranked. */
  readonly among: AccountType
  /** Requested type; omitted if none was requested. */
  readonly type?: AccountType | undefined
  /** Display name of the requested provider. */
  readonly provider?: string | undefined
  readonly amountPence?: number | undefined
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

/** `3rd of 214 easy-access accounts by rate`, `Joint 1st of 12 cash ISAs from Harrow Vale by rate`. */
function rankReason(standing: RateRank, asked: Asked): string {
  const [one, many] = nouns[asked.among]
  const from = asked.provider === undefined ? '' : ` from ${asked.provider}`
  if (standing.of === 1) return `The only ${one}${from}${accepting(asked, 'accepts')}`
  const place = standing.sharing > 1 ? `Joint ${ordinal(standing.place)}` : ordinal(standing.place)
  return `${place} of ${grouped(standing.of)} ${many}${from}${accepting(asked, 'accept')} by rate`
}

function accepting({ amountPence }: Asked, verb: 'accept' | 'accepts'): string {
  return amountPence === undefined ? '' : ` that ${verb} ${pounds(amountPence)}`
}

function balanceReason(product: Product, amountPence: number): string {
  const top = product.maxBalancePence === null ? 'with no maximum' : `to ${pounds(product.maxBalancePence)}`
  return `Accepts a balance of ${pounds(amountPence)}: from ${pounds(product.minBalancePence)} ${top}`
}

function bonusReason(product: Product): string {
  const lasts = product.boostDuration === null ? '' : ` for ${product.boostDuration}`
  return `Includes a ${percent(product.boostRateBp)} bonus${lasts}; ${percent(product.baseRateBp)} after`
}

/**
 * Explains in plain English why a product is in the result: its rank by rate among the requested accounts, the filters it matched, its bonus, its
 * protection. Facts only, no judgements.
 */
export function matchReasons(product: Product, standing: RateRank, asked: Asked): string[] {
  const reasons = [rankReason(standing, asked)]
  if (asked.type !== undefined && asked.type !== 'all') reasons.push(`Account type: ${accountTypes[asked.type].label}`)
  if (asked.provider !== undefined) reasons.push(`Provider: ${asked.provider}`)
  if (asked.amountPence !== undefined) reasons.push(balanceReason(product, asked.amountPence))
  if (product.boostRateBp > 0) reasons.push(bonusReason(product))
  reasons.push(product.fscsDetails)
  return reasons
}
