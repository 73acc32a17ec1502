import { creditPence } from './prices.ts'

/** Buying credits. Amounts are whole pence, VAT included, and always buy whole credits. */
export const smallestTopUpPence = 500

/** A bound, because everything has one; who needs more tops up twice. */
export const largestTopUpPence = 500_000

export const topUpPresetsPence = [500, 2_000, 5_000, 10_000] as const

/** Credits that an amount buys. */
export const creditsFor = (amountPence: number): number => amountPence / creditPence

/** A sum of money as people read it: `£5`, `£5.50`, `£1,250`. */
export function pounds(pence: number): string {
  const size = Math.abs(pence)
  const rest = size % 100
  const whole = Math.floor(size / 100).toLocaleString('en-GB')
  return `${pence < 0 ? '−' : ''}£${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}

/** What is said where an amount is asked for and none was typed. */
export const noAmount = 'Enter an amount such as 20 or 12.50.'

/** What is wrong with an amount, as a sentence; null when it can be bought. What was typed and is no amount comes as a number below 0. */
export function faultOfAmount(amountPence: number): string | null {
  if (!Number.isInteger(amountPence) || amountPence < 0) return noAmount
  if (amountPence < smallestTopUpPence) return `Amount must be ${pounds(smallestTopUpPence)} or more.`
  if (amountPence > largestTopUpPence) return `Amount must be ${pounds(largestTopUpPence)} or less.`
  return amountPence % creditPence === 0 ? null : `Amount must be in steps of ${creditPence}p, the price of one credit.`
}

/** The VAT within an amount, in pence, rounded half-up; the rate in hundredths of a percent, so that 2,000 is 20%. */
export function vatWithin(amountPence: number, basisPoints: number | null): number {
  if (basisPoints === null) return 0
  const whole = 10_000 + basisPoints
  return Math.floor((2 * amountPence * basisPoints + whole) / (2 * whole))
}
