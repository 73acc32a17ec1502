import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Price } from '#server/api/contract/prices.ts'

/** Reason why a request was free; null if it was charged. */
export type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

/** Charge of a request, broken down into units and credits per unit. */
export type RequestCharge = {
  readonly units: number
  readonly per: Price['per']
  readonly unitCredits: number
  readonly credits: number
  readonly freeBy: FreeReason | null
}

type ChargeColumns = { readonly status: number; readonly units: number; readonly credits: number; readonly mode: Mode }

function freeReason({ status, units, credits, mode }: ChargeColumns, price: Price | undefined): FreeReason | null {
  if (credits > 0) return null
  if (status === 304) return 'unchanged'
  if (status >= 400) return 'error'
  if (mode === 'test') return 'test'
  if (price === undefined || price.credits === 0) return 'free'
  // Paid units without a charge: a replay of a call that was paid for with the same Idempotency-Key.
  return units > 0 ? 'replay' : 'no rows'
}

/** Returns the charge of a log row. `price` is the endpoint's current price; for a paid row the unit price is derived from the row itself. */
export function toCharge(row: ChargeColumns, price: Price | undefined): RequestCharge {
  const { units, credits } = row
  const unitCredits = credits > 0 && units > 0 ? credits / units : (price?.credits ?? 0)
  return { units, per: price?.per ?? 'request', unitCredits, credits, freeBy: freeReason(row, price) }
}
