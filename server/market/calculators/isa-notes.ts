import { percent, pounds } from '../decimal.ts'
import {
  adultFromAge,
  fullCashFromAge,
  type IsaAllowance,
  type IsaAllowanceRequest,
  lifetimeEndsAtAge,
  unauthorisedWithdrawal,
  withdrawalToReceive,
} from './isa-allowance.ts'

function cashNotes({ rules }: IsaAllowance, { age, payments }: IsaAllowanceRequest): string[] {
  const { cashLimitUnder65Pence, cashLimitFrom65Pence } = rules
  if (cashLimitUnder65Pence === cashLimitFrom65Pence) return ['There is no separate cash ISA limit in this tax year.']
  const limits = `${pounds(cashLimitUnder65Pence)} if under ${fullCashFromAge}, ${pounds(cashLimitFrom65Pence)} from then on`
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
    notes.push(`At ${lifetimeEndsAtAge}, lifetime ISA payments count only if they were made before the birthday.`)
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
