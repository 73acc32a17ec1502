import type { Stripe } from 'stripe'
import { RefusedFactsError } from '../payment-facts.ts'

/** The name under which a payment carries the public id of its top-up. */
export const topUpOf = (metadata: Stripe.Metadata | null): string | null => metadata?.['top_up'] ?? null

/** The id of something that Stripe sends as its id or as a whole. */
export const idOf = (thing: string | { readonly id: string } | null): string | null => (typeof thing === 'string' ? thing : (thing?.id ?? null))

/** An amount in pence. @throws RefusedFactsError when it is none, or of another currency. */
export function penceOf(amount: number | null, currency: string | null, what: string): number {
  if (currency !== 'gbp') throw new RefusedFactsError(`${what} is in ${currency ?? 'no currency'}, not in gbp`)
  if (amount === null || !Number.isSafeInteger(amount) || amount < 0) throw new RefusedFactsError(`${what} has no amount in whole pence`)
  return amount
}
