/** Kinds of prices, and the price of credits. Each endpoint sets its own price in its `.endpoint.ts` file. */

/** Price of a call in credits: fixed, or per row of the response. */
export type Price = { readonly credits: number; readonly per: 'request' | 'row' }

/** Price of one credit in pence. */
export const creditPence = 10

/** Formats a price: `free`, `1 credit per row`, `5 credits`. */
export function describePrice(price: Price): string {
  if (price.credits === 0) return 'free'
  const credits = price.credits === 1 ? '1 credit' : `${price.credits} credits`
  return price.per === 'row' ? `${credits} per row` : credits
}

/** Minimum top-up. Amounts are whole pence, include VAT and always buy whole credits. */
export const smallestTopUpPence = 500

/** Maximum for one top-up; customers can top up repeatedly. */
export const largestTopUpPence = 500_000

export const topUpPresetsPence: readonly number[] = [500, 2_000, 5_000, 10_000]

export const creditsFor = (amountPence: number): number => amountPence / creditPence

/** Formats an amount: `£5`, `£5.50`, `£1,250`. */
export function pounds(pence: number): string {
  const size = Math.abs(pence)
  const rest = size % 100
  const whole = Math.floor(size / 100).toLocaleString('en-GB')
  return `${pence < 0 ? '−' : ''}£${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}

/** Validation message for a missing or malformed amount. */
export const noAmount = 'Enter an amount such as 20 or 12.50.'

/** Returns the validation message for an amount, or null if it is valid. Callers pass a negative number for input that is not an amount. */
export function faultOfAmount(amountPence: number): string | null {
  if (!Number.isInteger(amountPence) || amountPence < 0) return noAmount
  if (amountPence < smallestTopUpPence) return `Amount must be ${pounds(smallestTopUpPence)} or more.`
  if (amountPence > largestTopUpPence) return `Amount must be ${pounds(largestTopUpPence)} or less.`
  return amountPence % creditPence === 0 ? null : `Amount must be in steps of ${creditPence}p, the price of one credit.`
}

/** Returns the VAT included in an amount, in pence, rounded half up. The rate is in basis points: 2,000 is 20%. */
export function vatWithin(amountPence: number, basisPoints: number | null): number {
  if (basisPoints === null) return 0
  const whole = 10_000 + basisPoints
  return Math.floor((2 * amountPence * basisPoints + whole) / (2 * whole))
}
