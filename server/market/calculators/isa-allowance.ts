import { pounds } from '../decimal.ts'
import { type IsaRules, isaRules } from './isa-rules.ts'
import { lifetimeBonus } from './lifetime-isa.ts'
import type { TaxYear } from './tax-year.ts'

/** What was paid into each type of ISA in the tax year, pence. */
export type IsaPayments = {
  readonly cashPence: number
  readonly stocksSharesPence: number
  readonly innovativeFinancePence: number
  readonly lifetimePence: number
}

export type IsaAllowanceRequest = {
  readonly taxYear: TaxYear
  /** Everything paid in, pence, and how it is split; null when only the sum is known. */
  readonly paidInPence: number
  readonly payments: IsaPayments | null
  readonly withdrawnPence: number
  /** Whether the ISA that the money was taken from is flexible, so that it may be put back in the same year. */
  readonly isFlexible: boolean
  /** Whole years; null: unknown. */
  readonly age: number | null
}

/** Amounts in pence; null is unknown. */
export type IsaAllowance = {
  readonly rules: IsaRules
  /** What counts against the allowance after what a flexible ISA gave back. */
  readonly currentYearUsedPence: number
  readonly remainingPence: number
  readonly replaceableEarlierYearsPence: number
  readonly cashLimitPence: number
  readonly remainingCashPence: number | null
  readonly remainingLifetimePence: number | null
  readonly lifetimeBonusPence: number | null
  readonly breaches: readonly string[]
}

/** From this age nothing may be paid into a lifetime ISA; from the other the lower cash limit no longer holds. */
export const lifetimeEndsAtAge = 50
export const fullCashFromAge = 65

/** From this age every ISA of adults is open; cash ISAs were open earlier in some years. */
export const adultFromAge = 18

/** Whether a payment into a lifetime ISA may have been made at this age; at 50 exactly before the birthday. */
const mayPayLifetime = (age: number | null) => age === null || (age >= adultFromAge && age <= lifetimeEndsAtAge)

const left = (limitPence: number, usedPence: number) => Math.max(0, limitPence - usedPence)

/**
 * A flexible ISA gives back what was paid in this year first; only what is taken out beyond that is money of earlier years. A lifetime ISA is
 * never flexible, so its payments stay used.
 */
function flexibleReturn({ isFlexible, withdrawnPence, paidInPence, payments }: IsaAllowanceRequest): number {
  return isFlexible ? Math.min(withdrawnPence, paidInPence - (payments?.lifetimePence ?? 0)) : 0
}

function remainingLifetime(rules: IsaRules, { payments, age }: IsaAllowanceRequest, remainingPence: number): number | null {
  // Where nothing remains at all nothing does of any part, however the sum is split.
  if (remainingPence === 0 || (age !== null && (age < adultFromAge || age >= lifetimeEndsAtAge))) return 0
  return payments === null ? null : Math.min(left(rules.lifetimeLimitPence, payments.lifetimePence), remainingPence)
}

/** What is not split has no known bonus, and what may not be paid in has none. */
function bonusOf(rules: IsaRules, { payments, age }: IsaAllowanceRequest): number | null {
  if (payments === null) return null
  return mayPayLifetime(age) ? lifetimeBonus(rules, payments.lifetimePence) : 0
}

function remainingCash(rules: IsaRules, cashLimitPence: number, cashPence: number | null, remainingPence: number): number | null {
  // Without a lower limit for cash all that remains may go into cash, however the rest was split; and of nothing, nothing.
  if (remainingPence === 0 || cashLimitPence === rules.overallLimitPence) return remainingPence
  return cashPence === null ? null : Math.min(left(cashLimitPence, cashPence), remainingPence)
}

/** What counts against the cash limit. A withdrawal is taken to come out of cash first. */
const cashUsed = ({ payments }: IsaAllowanceRequest, returnedPence: number) => (payments === null ? null : left(payments.cashPence, returnedPence))

function findBreaches(rules: IsaRules, request: IsaAllowanceRequest, usedPence: number, cashLimitPence: number, cashPence: number | null): string[] {
  const { taxYear, payments, age } = request
  const lifetimePence = payments?.lifetimePence ?? 0
  const beside = payments === null ? 0 : payments.stocksSharesPence + payments.innovativeFinancePence + lifetimePence
  const over = (what: string, paid: number, limit: number) => `${what} exceeded: ${pounds(paid)} paid in, at most ${pounds(limit)} in ${taxYear}.`
  const hasCashLimit = cashLimitPence < rules.overallLimitPence
  const rows: (readonly [broken: boolean, breach: string])[] = [
    [usedPence > rules.overallLimitPence, over('Overall limit', usedPence, rules.overallLimitPence)],
    [hasCashLimit && cashPence !== null && cashPence > cashLimitPence, over('Cash limit', cashPence ?? 0, cashLimitPence)],
    [lifetimePence > rules.lifetimeLimitPence, over('Lifetime limit', lifetimePence, rules.lifetimeLimitPence)],
    [beside > 0 && age !== null && age < adultFromAge, `Under the age of ${adultFromAge} only cash ISAs may be paid into.`],
    [lifetimePence > 0 && age !== null && age > lifetimeEndsAtAge, `Lifetime payments end on the day before the ${lifetimeEndsAtAge}th birthday.`],
  ]
  return rows.filter(([broken]) => broken).map(([, breach]) => breach)
}

/** What is left of the allowance of a tax year, over all ISAs and for each type with a limit of its own. */
export function isaAllowance(request: IsaAllowanceRequest): IsaAllowance {
  const { taxYear, paidInPence, withdrawnPence, isFlexible, age } = request
  const rules = isaRules(taxYear)
  const returnedPence = flexibleReturn(request)
  const usedPence = paidInPence - returnedPence
  const remainingPence = left(rules.overallLimitPence, usedPence)
  const cashLimitPence = age !== null && age >= fullCashFromAge ? rules.cashLimitFrom65Pence : rules.cashLimitUnder65Pence
  const cashPence = cashUsed(request, returnedPence)
  return {
    rules,
    currentYearUsedPence: usedPence,
    remainingPence,
    replaceableEarlierYearsPence: isFlexible ? withdrawnPence - returnedPence : 0,
    cashLimitPence,
    remainingCashPence: remainingCash(rules, cashLimitPence, cashPence, remainingPence),
    remainingLifetimePence: remainingLifetime(rules, request, remainingPence),
    lifetimeBonusPence: bonusOf(rules, request),
    breaches: findBreaches(rules, request, usedPence, cashLimitPence, cashPence),
  }
}
