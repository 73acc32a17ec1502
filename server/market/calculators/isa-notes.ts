import { percent, pounds } from '../decimal.ts'
import { adultFromAge, fullCashFromAge, type IsaAllowance, type IsaAllowanceRequest, lifetimeEndsAtAge } from './isa-allowance.ts'
import { unauthorisedWithdrawal, withdrawalToReceive } from './lifetime-isa.ts'

function cashNotes({ rules }: IsaAllowance, { age, payments }: IsaAllowanceRequest): string[] {
  const { cashLimitUnder65Pence, cashLimitFrom65Pence } = rules
  if (cashLimitUnder65Pence === cashLimitFrom65Pence) return ['Cash ISAs have no limit of their own in this tax year.']
  const limits = `${pounds(cashLimitUnder65Pence)} under the age of ${fullCashFromAge}, ${pounds(cashLimitFrom65Pence)} from then on`
  const notes = [`Cash limit from 6 April 2027, inside the overall limit: ${limits}.`]
  if (age === null) notes.push(`No age was given, so the limit for those under ${fullCashFromAge} is used.`)
  // Nobody has published yet how a 65th birthday within the year counts.
  else if (age === fullCashFromAge || age === fullCashFromAge - 1) notes.push(`How turning ${fullCashFromAge} within the tax year counts is not settled yet.`)
  if (payments === null) notes.push('Only the sum paid in is known, so breaches of the cash limit cannot be seen.')
  return notes
}

function withdrawalNotes({ replaceableEarlierYearsPence }: IsaAllowance, { withdrawnPence, isFlexible }: IsaAllowanceRequest): string[] {
  if (withdrawnPence === 0) return []
  if (!isFlexible) return ['Withdrawals do not give back allowance, because the ISA is not flexible.']
  const notes = [
    'Flexible ISA: a withdrawal is of money paid in this tax year first, out of cash before other types, and gives that allowance back. Lifetime ISAs are never flexible.',
  ]
  if (replaceableEarlierYearsPence > 0) {
    notes.push(`${pounds(replaceableEarlierYearsPence)} is money of earlier years: put back into the same ISA in this tax year, it does not count.`)
  }
  return notes
}

function lifetimeNotes({ rules, remainingLifetimePence, lifetimeBonusPence }: IsaAllowance, { payments, age }: IsaAllowanceRequest): string[] {
  if (payments === null) return remainingLifetimePence === null ? ['Only the sum paid in is known, so what is left for a lifetime ISA is not.'] : []
  const { lifetimePence } = payments
  const notes = [
    `Lifetime ISA: up to ${pounds(rules.lifetimeLimitPence)} inside the overall limit, with a bonus of ${percent(rules.lifetimeBonusBp)}; opened at 18 to 39, paid into until the day before the ${lifetimeEndsAtAge}th birthday.`,
  ]
  if (lifetimePence > 0 && lifetimeBonusPence !== null && lifetimeBonusPence > 0) {
    const potPence = lifetimePence + lifetimeBonusPence
    const { receivedPence } = unauthorisedWithdrawal(rules, potPence)
    const one = 100_000
    notes.push(
      `Lifetime ISA money taken out before the age of 60 for anything but a first home: the charge is ${percent(rules.lifetimeChargeBp)} of the withdrawal, so ${pounds(receivedPence)} is left of ${pounds(potPence)}, and receiving ${pounds(one)} takes ${pounds(withdrawalToReceive(rules, one))}.`,
    )
  }
  if (age === lifetimeEndsAtAge && lifetimePence > 0) notes.push(`At ${lifetimeEndsAtAge}, lifetime payments count only if they were made before the birthday.`)
  return notes
}

/** The rules that led to the result, one sentence each. */
export function isaNotes(result: IsaAllowance, request: IsaAllowanceRequest): string[] {
  const { rules } = result
  return [
    `Overall limit in ${request.taxYear}: ${pounds(rules.overallLimitPence)} over all ISAs of an adult together. Junior ISAs are apart.`,
    ...(request.age !== null && request.age < adultFromAge ? [`From ${rules.cashFromAge} to ${adultFromAge - 1} years of age cash ISAs alone were open.`] : []),
    ...cashNotes(result, request),
    rules.areSeveralAllowed
      ? 'Several ISAs of one type may be paid into in this tax year, but only one lifetime ISA.'
      : 'Only one ISA of each type may be paid into in this tax year.',
    ...lifetimeNotes(result, request),
    ...withdrawalNotes(result, request),
    'A payment counts in the tax year in which it is received, by the date in the United Kingdom.',
  ]
}
