import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Price } from '#server/api/contract/prices.ts'

/** Why a request cost nothing; null: it did cost, or had nothing to cost. */
export type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

/** What a request cost, so that it can be worked out again: units times credits of one. */
export type RequestCharge = {
  readonly units: number
  readonly per: Price['per']
  readonly unitCredits: number
  readonly credits: number
  readonly freeBy: FreeReason | null
}

type Facts = { readonly status: number; readonly units: number; readonly credits: number; readonly mode: Mode }

function freeReason({ status, units, credits, mode }: Facts, price: Price | undefined): FreeReason | null {
  if (credits > 0) return null
  if (status === 304) return 'unchanged'
  if (status >= 400) return 'error'
  if (mode === 'test') return 'test'
  if (price === undefined || price.credits === 0) return 'free'
  // Paid units that cost nothing: the answer was bought before, with the same Idempotency-Key.
  return units > 0 ? 'replay' : 'no rows'
}

/** The charge of a row of the log. `price` is that of its endpoint today; what was paid says itself what one unit cost then. */
export function chargeOf(row: Facts, price: Price | undefined): RequestCharge {
  const { units, credits } = row
  const unitCredits = credits > 0 && units > 0 ? credits / units : (price?.credits ?? 0)
  return { units, per: price?.per ?? 'request', unitCredits, credits, freeBy: freeReason(row, price) }
}
