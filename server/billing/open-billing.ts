import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { type BillingDeps, type BillingSettings, getPaymentMode, type Payments } from './billing-deps.ts'
import { simulatedPayments } from './simulated-payments.ts'
import { stripePayments } from './stripe-payments.ts'

function createPayments(settings: BillingSettings): Payments | null {
  const [{ stripeKey }, mode] = [settings, getPaymentMode(settings)]
  if (mode === null) return null
  if (mode === 'simulated' || stripeKey === null) return simulatedPayments(settings)
  return stripePayments({ ...settings, stripeKey }, mode)
}

/** Creates the billing dependencies of a process. Stripe's SDK is loaded on first use. */
export function openBilling(settings: BillingSettings, pool: Database, log: Log): BillingDeps {
  return { pool, log, settings, payments: createPayments(settings), address: { origin: null } }
}

/** Returns warnings about the settings, to log at start-up. */
export function getAdvice(settings: BillingSettings): string[] {
  const { stripeKey, webhookSecret, developmentFeatures } = settings
  const advice: string[] = []
  if (stripeKey === null && !developmentFeatures) advice.push('STRIPE_SECRET_KEY is not set, so top-ups are unavailable.')
  if (stripeKey !== null && webhookSecret === null)
    advice.push('STRIPE_WEBHOOK_SECRET is not set, so payments cannot be confirmed and top-ups are unavailable.')
  return advice
}
