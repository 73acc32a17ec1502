import { type AccountType, accountTypes } from '#server/api/contract/account-types.ts'
import { grouped, ordinal, percent, pounds } from './decimal.ts'
import type { Product } from './product.ts'
import type { RateRank } from './ranked-list.ts'

/** Query of the caller, as far as the reasons mention it. */
export type Asked = {
  /** Accounts that the rank is among. */
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
