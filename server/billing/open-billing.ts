import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { type BillingRoom, type BillingSettings, modeOf } from './billing-room.ts'
import type { Payments } from './payments.ts'
import { simulatedPayments } from './simulated-payments.ts'
import { stripePayments } from './stripe-payments.ts'

function paymentsFor(settings: BillingSettings): Payments | null {
  const [{ stripeKey }, mode] = [settings, modeOf(settings)]
  if (mode === null) return null
  if (mode === 'simulated' || stripeKey === null) return simulatedPayments(settings)
  return stripePayments({ ...settings, stripeKey }, mode)
}

/** The billing of one process. Nothing is connected and Stripe's SDK is not loaded before it is needed. */
export function openBilling(settings: BillingSettings, pool: Pool, log: Log): BillingRoom {
  return { pool, log, settings, payments: paymentsFor(settings), address: { origin: null } }
}

/** What an operator should know of the settings, one line each, at start. */
export function adviceOn(settings: BillingSettings): string[] {
  const { stripeKey, webhookSecret, developmentFeatures } = settings
  const advice: string[] = []
  if (stripeKey === null && !developmentFeatures) advice.push('STRIPE_SECRET_KEY is not set: nobody can top up.')
  if (stripeKey !== null && webhookSecret === null)
    advice.push('STRIPE_WEBHOOK_SECRET is not set: nobody can top up, because nobody would hear that the money came.')
  return advice
}
