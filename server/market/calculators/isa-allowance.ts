import file from '../data/isa-rules.json' with { type: 'json' }
import { percent, pounds } from '../decimal.ts'
import { halfUp } from './interest.ts'
import { rateBp, type TaxYear, wholePounds } from './tax-year.ts'

/** Returns the ISA rules of a tax year: money in pence, rates in basis points. Sources are cited in the data file. */
export function isaRules(taxYear: TaxYear) {
  const year = file.years[taxYear]
  return {
    /** Limit across all of an adult's ISAs. */
    overallLimitPence: wholePounds(year.overallLimit),
    cashLimitUnder65Pence: wholePounds(year.cashIsaLimitUnder65),
    cashLimitFrom65Pence: wholePounds(year.cashIsaLimit65Plus),
    lifetimeLimitPence: wholePounds(year.lifetimeIsaLimit),
    juniorLimitPence: wholePounds(year.juniorIsaLimit),
    lifetimeBonusBp: rateBp(year.lifetimeIsaBonusRate),
    lifetimeMaxBonusPence: wholePounds(year.lifetimeIsaMaxBonus),
    /** Rate of the charge on the amount withdrawn, which includes the bonus. No charge applies if the money buys a first home or the holder is at least 60. */
    lifetimeChargeBp: rateBp(year.lifetimeIsaWithdrawalChargeRate),
    /** Minimum age for cash ISAs. */
    cashFromAge: year.cashIsaFromAge,
    /** True if holders can pay into several ISAs of one type in the year. Never applies to lifetime ISAs. */
    areSeveralAllowed: year.multipleSameTypeAllowed,
  }
}

type IsaRules = ReturnType<typeof isaRules>

const wholeBp = 10_000

const share = (pence: number, rateBp: number) => Number(halfUp(BigInt(pence) * BigInt(rateBp), BigInt(wholeBp)))

/** Returns the government bonus on a year's lifetime ISA payments, in pence: a percentage of the payments, up to the maximum bonus. */
export function lifetimeBonus(rules: IsaRules, paidPence: number): number {
  return Math.min(share(paidPence, rules.lifetimeBonusBp), rules.lifetimeMaxBonusPence)
}

/**
 * Returns the amount received and the charge for a withdrawal that is made before the age of 60 and isn't for a first home. The charge applies to the whole
 * withdrawal.
 */
export function unauthorisedWithdrawal(rules: IsaRules, withdrawnPence: number): { chargePence: number; receivedPence: number } {
  const chargePence = share(withdrawnPence, rules.lifetimeChargeBp)
  return { chargePence, receivedPence: withdrawnPence - chargePence }
}

/** Returns the amount to withdraw, in pence, to receive a given amount after the charge. */
export function withdrawalToReceive(rules: IsaRules, receivedPence: number): number {
  return Number(halfUp(BigInt(receivedPence) * BigInt(wholeBp), BigInt(wholeBp - rules.lifetimeChargeBp)))
}

/** Payments into each ISA type in the tax year, in pence. */
export type IsaPayments = {
  readonly cashPence: number
  readonly stocksSharesPence: number
  readonly innovativeFinancePence: number
  readonly lifetimePence: number
}

export type IsaAllowanceRequest = {
  readonly taxYear: TaxYear
  /** Total paid in, in pence, and its split by type; `payments` is null if only the total is known. */
  readonly paidInPence: number
  readonly payments: IsaPayments | null
  readonly withdrawnPence: number
  /** True if the ISA withdrawn from is flexible, so the money can be replaced in the same tax year. */
  readonly isFlexible: boolean
  /** Whole years; null if unknown. */
  readonly age: number | null
}

/** Lifetime ISA payments are not allowed from age 50, and the lower cash limit does not apply from age 65. */
export const lifetimeEndsAtAge = 50
export const fullCashFromAge = 65

/** Minimum age for all adult ISAs. In some years, the minimum age for cash ISAs was lower. */
export const adultFromAge = 18

/** True if a lifetime ISA payment was possible at this age. At the age of 50, the payment may have been made before the birthday. */
const mayPayLifetime = (age: number | null) => age === null || (age >= adultFromAge && age <= lifetimeEndsAtAge)

const left = (limitPence: number, usedPence: number) => Math.max(0, limitPence - usedPence)

/**
 * Returns the allowance restored by a flexible withdrawal. The withdrawal counts against this year's payments first; any excess is money from earlier years. A
 * lifetime ISA is never flexible, so payments into it are never restored.
 */
function flexibleReturn({ isFlexible, withdrawnPence, paidInPence, payments }: IsaAllowanceRequest): number {
  return isFlexible ? Math.min(withdrawnPence, paidInPence - (payments?.lifetimePence ?? 0)) : 0
}

function remainingLifetime(rules: IsaRules, { payments, age }: IsaAllowanceRequest, remainingPence: number): number | null {
  // If no allowance is left in total, none is left for any type, however the payments are split.
  if (remainingPence === 0 || (age !== null && (age < adultFromAge || age >= lifetimeEndsAtAge))) return 0
  return payments === null ? null : Math.min(left(rules.lifetimeLimitPence, payments.lifetimePence), remainingPence)
}

/** Returns the lifetime ISA bonus in pence: null if the split of the payments is unknown, 0 if the holder's age allowed no payment. */
function getBonus(rules: IsaRules, { payments, age }: IsaAllowanceRequest): number | null {
  if (payments === null) return null
  return mayPayLifetime(age) ? lifetimeBonus(rules, payments.lifetimePence) : 0
}

function remainingCash(rules: IsaRules, cashLimitPence: number, cashPence: number | null, remainingPence: number): number | null {
  // Without a separate cash limit, the whole remaining allowance can go into cash ISAs, however the payments are split. If no allowance is left, nothing more
  // can be paid in.
  if (remainingPence === 0 || cashLimitPence === rules.overallLimitPence) return remainingPence
  return cashPence === null ? null : Math.min(left(cashLimitPence, cashPence), remainingPence)
}

/** Returns the payments that count against the cash limit; null if unknown. Withdrawals are assumed to come out of cash first. */
const cashUsed = ({ payments }: IsaAllowanceRequest, returnedPence: number) => (payments === null ? null : left(payments.cashPence, returnedPence))

function findBreaches(rules: IsaRules, request: IsaAllowanceRequest, usedPence: number, cashLimitPence: number, cashPence: number | null): string[] {
  const { taxYear, payments, age } = request
  const lifetimePence = payments?.lifetimePence ?? 0
  const nonCashPence = payments === null ? 0 : payments.stocksSharesPence + payments.innovativeFinancePence + lifetimePence
  const over = (what: string, paid: number, limit: number) => `${what} exceeded: ${pounds(paid)} paid in, at most ${pounds(limit)} in ${taxYear}.`
  const hasCashLimit = cashLimitPence < rules.overallLimitPence
  const rows: (readonly [broken: boolean, breach: string])[] = [
    [usedPence > rules.overallLimitPence, over('Overall limit', usedPence, rules.overallLimitPence)],
    [hasCashLimit && cashPence !== null && cashPence > cashLimitPence, over('Cash limit', cashPence ?? 0, cashLimitPence)],
    [lifetimePence > rules.lifetimeLimitPence, over('Lifetime limit', lifetimePence, rules.lifetimeLimitPence)],
    [nonCashPence > 0 && age !== null && age < adultFromAge, `Under ${adultFromAge}s can only pay into cash ISAs.`],
    [lifetimePence > 0 && age !== null && age > lifetimeEndsAtAge, `Lifetime ISA payments must stop before the ${lifetimeEndsAtAge}th birthday.`],
  ]
  return rows.filter(([broken]) => broken).map(([, breach]) => breach)
}

/** Calculates the remaining ISA allowance for a tax year, in total and for each type with its own limit. Amounts in pence; null means unknown. */
export function isaAllowance(request: IsaAllowanceRequest) {
  const { taxYear, paidInPence, withdrawnPence, isFlexible, age } = request
  const rules = isaRules(taxYear)
  const returnedPence = flexibleReturn(request)
  const usedPence = paidInPence - returnedPence
  const remainingPence = left(rules.overallLimitPence, usedPence)
  const cashLimitPence = age !== null && age >= fullCashFromAge ? rules.cashLimitFrom65Pence : rules.cashLimitUnder65Pence
  const cashPence = cashUsed(request, returnedPence)
  return {
    rules,
    /** Allowance used, less the part that flexible withdrawals restored. */
    currentYearUsedPence: usedPence,
    remainingPence,
    replaceableEarlierYearsPence: isFlexible ? withdrawnPence - returnedPence : 0,
    cashLimitPence,
    remainingCashPence: remainingCash(rules, cashLimitPence, cashPence, remainingPence),
    remainingLifetimePence: remainingLifetime(rules, request, remainingPence),
    lifetimeBonusPence: getBonus(rules, request),
    breaches: findBreaches(rules, request, usedPence, cashLimitPence, cashPence),
  }
}

export type IsaAllowance = ReturnType<typeof isaAllowance>

function cashNotes({ rules }: IsaAllowance, { age, payments }: IsaAllowanceRequest): string[] {
  const { cashLimitUnder65Pence, cashLimitFrom65Pence } = rules
  if (cashLimitUnder65Pence === cashLimitFrom65Pence) return ['There is no separate cash ISA limit in this tax year.']
  const limits = `${pounds(cashLimitUnder65Pence)} if under ${fullCashFromAge}, ${pounds(cashLimitFrom65Pence)} if ${fullCashFromAge} or over`
  const notes = [`Cash limit from 6 April 2027, within the overall limit: ${limits}.`]
  if (age === null) notes.push(`No age was given, so the limit for under ${fullCashFromAge}s is used.`)
  // No guidance has been published yet on a 65th birthday within the tax year.
  else if (age === fullCashFromAge || age === fullCashFromAge - 1)
    notes.push(`The rules for turning ${fullCashFromAge} during the tax year have not been confirmed yet.`)
  if (payments === null) notes.push('Only the total paid in is known, so the cash limit could not be checked.')
  return notes
}

function withdrawalNotes({ replaceableEarlierYearsPence }: IsaAllowance, { withdrawnPence, isFlexible }: IsaAllowanceRequest): string[] {
  if (withdrawnPence === 0) return []
  if (!isFlexible) return ['Withdrawals do not restore allowance because the ISA is not flexible.']
  const notes = [
    'Flexible ISA: a withdrawal counts against money paid in this tax year first, cash before other types, and restores that allowance. Lifetime ISAs are never flexible.',
  ]
  if (replaceableEarlierYearsPence > 0) {
    notes.push(
      `${pounds(replaceableEarlierYearsPence)} was paid in during earlier years. It can be paid back into the same ISA in this tax year without using allowance.`,
    )
  }
  return notes
}

function lifetimeNotes({ rules, remainingLifetimePence, lifetimeBonusPence }: IsaAllowance, { payments, age }: IsaAllowanceRequest): string[] {
  if (payments === null) return remainingLifetimePence === null ? ['Only the total paid in is known, so the remaining lifetime ISA allowance is unknown.'] : []
  const { lifetimePence } = payments
  const notes = [
    `Lifetime ISA: up to ${pounds(rules.lifetimeLimitPence)} within the overall limit, with a bonus of ${percent(rules.lifetimeBonusBp)}. It can be opened from 18 to 39 and paid into until the day before the ${lifetimeEndsAtAge}th birthday.`,
  ]
  if (lifetimePence > 0 && lifetimeBonusPence !== null && lifetimeBonusPence > 0) {
    const potPence = lifetimePence + lifetimeBonusPence
    const { receivedPence } = unauthorisedWithdrawal(rules, potPence)
    const one = 100_000
    notes.push(
      `Lifetime ISA withdrawals before the age of 60, other than for a first home, are charged ${percent(rules.lifetimeChargeBp)}: withdrawing ${pounds(potPence)} pays out ${pounds(receivedPence)}, and receiving ${pounds(one)} requires withdrawing ${pounds(withdrawalToReceive(rules, one))}.`,
    )
  }
  if (age === lifetimeEndsAtAge && lifetimePence > 0)
    notes.push(`Lifetime ISA payments are only allowed until the day before your ${lifetimeEndsAtAge}th birthday.`)
  return notes
}

/** Explains the rules behind the result, one sentence each. */
export function isaNotes(result: IsaAllowance, request: IsaAllowanceRequest): string[] {
  const { rules } = result
  return [
    `Overall limit in ${request.taxYear}: ${pounds(rules.overallLimitPence)} across all of an adult's ISAs. Junior ISAs are separate.`,
    ...(request.age !== null && request.age < adultFromAge
      ? [`From ${rules.cashFromAge} to ${adultFromAge - 1} years of age, only cash ISAs were available.`]
      : []),
    ...cashNotes(result, request),
    rules.areSeveralAllowed
      ? 'You can pay into several ISAs of the same type in this tax year, but only one lifetime ISA.'
      : 'You can pay into only one ISA of each type in this tax year.',
    ...lifetimeNotes(result, request),
    ...withdrawalNotes(result, request),
    'A payment counts in the tax year in which it is received, by UK date.',
  ]
}
