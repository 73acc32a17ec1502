import { createHmac } from 'node:crypto'
import { type BillingDeps, BillingError, type BillingSettings, getPaymentMode } from './billing-deps.ts'
import type { Payments } from './payments.ts'

/** Returns the secret that events are signed with: the configured one, or a derived one for simulated payments. Null if there is none. */
export function getWebhookSecret(settings: BillingSettings): string | null {
  if (settings.webhookSecret !== null) return settings.webhookSecret
  return getPaymentMode(settings) === 'simulated' ? `whsec_${createHmac('sha256', settings.secret).update('simulated payments').digest('hex')}` : null
}

/** Returns the payments of this service. @throws BillingError if payments are unavailable or their events could not be verified */
export function requirePayments({ payments, settings, log }: BillingDeps): Payments {
  if (payments && getWebhookSecret(settings) !== null) return payments
  const missing = payments ? 'STRIPE_WEBHOOK_SECRET' : 'STRIPE_SECRET_KEY'
  log.error(`A payment was requested, but ${missing} is not set. Outside production, payments are simulated if neither variable is set.`)
  throw new BillingError('Payments are not set up on this service.')
}
