import type { Stripe } from 'stripe'
import { RefusedChangeError } from '../payment-change.ts'

/** Returns the public id of the top-up from the metadata of a payment. */
export const getTopUpId = (metadata: Stripe.Metadata | null): string | null => metadata?.['top_up'] ?? null

/** Returns the id of an object that Stripe sends either as an id or expanded. */
export const toId = (thing: string | { readonly id: string } | null): string | null => (typeof thing === 'string' ? thing : (thing?.id ?? null))

/** Validates an amount in pence. @throws RefusedChangeError if it is missing, not whole pence, or not in GBP */
export function toPence(amount: number | null, currency: string | null, what: string): number {
  if (currency !== 'gbp') throw new RefusedChangeError(`${what} is in ${currency ?? 'no currency'}, not in gbp`)
  if (amount === null || !Number.isSafeInteger(amount) || amount < 0) throw new RefusedChangeError(`${what} has no amount in whole pence`)
  return amount
}
