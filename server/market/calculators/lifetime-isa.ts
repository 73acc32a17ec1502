import type { IsaRules } from './isa-rules.ts'
import { halfUp } from './rounding.ts'

const wholeBp = 10_000

const share = (pence: number, rateBp: number) => Number(halfUp(BigInt(pence) * BigInt(rateBp), BigInt(wholeBp)))

/** The government bonus on a year's payments into a lifetime ISA, pence: a share of them up to the most that there is. */
export function lifetimeBonus(rules: IsaRules, paidPence: number): number {
  return Math.min(share(paidPence, rules.lifetimeBonusBp), rules.lifetimeMostBonusPence)
}

/** What is left of money taken out before the age of 60 for anything but a first home: the charge is on all that is taken out. */
export function unauthorisedWithdrawal(rules: IsaRules, withdrawnPence: number): { chargePence: number; receivedPence: number } {
  const chargePence = share(withdrawnPence, rules.lifetimeChargeBp)
  return { chargePence, receivedPence: withdrawnPence - chargePence }
}

/** What has to be taken out in that way to receive an amount, pence. */
export function withdrawalToReceive(rules: IsaRules, receivedPence: number): number {
  return Number(halfUp(BigInt(receivedPence) * BigInt(wholeBp), BigInt(wholeBp - rules.lifetimeChargeBp)))
}
