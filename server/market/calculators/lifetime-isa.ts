import type { IsaRules } from './isa-rules.ts'
import { halfUp } from './rounding.ts'

const wholeBp = 10_000

const share = (pence: number, rateBp: number) => Number(halfUp(BigInt(pence) * BigInt(rateBp), BigInt(wholeBp)))

/** Government bonus on a year's lifetime ISA payments, in pence: a percentage, up to the maximum bonus. */
export function lifetimeBonus(rules: IsaRules, paidPence: number): number {
  return Math.min(share(paidPence, rules.lifetimeBonusBp), rules.lifetimeMaxBonusPence)
}

/**
 * Withdrawal charge and amount received for money taken out before the age of 60, other than for a first home. The charge applies to the whole
 * withdrawal.
 */
export function unauthorisedWithdrawal(rules: IsaRules, withdrawnPence: number): { chargePence: number; receivedPence: number } {
  const chargePence = share(withdrawnPence, rules.lifetimeChargeBp)
  return { chargePence, receivedPence: withdrawnPence - chargePence }
}

/** Amount to withdraw, in pence, to receive a given amount after the charge. */
export function withdrawalToReceive(rules: IsaRules, receivedPence: number): number {
  return Number(halfUp(BigInt(receivedPence) * BigInt(wholeBp), BigInt(wholeBp - rules.lifetimeChargeBp)))
}
