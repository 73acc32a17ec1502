import { createHmac } from 'node:crypto'
import { BillingError, type BillingRoom, type BillingSettings, modeOf } from './billing-room.ts'
import type { Payments } from './payments.ts'

/** What events are signed with: the secret of the endpoint, else for simulated payments one of this service. Null: nobody can sign. */
export function webhookSecretOf(settings: BillingSettings): string | null {
  if (settings.webhookSecret !== null) return settings.webhookSecret
  return modeOf(settings) === 'simulated' ? `whsec_${createHmac('sha256', settings.secret).update('simulated payments').digest('hex')}` : null
}

/** @throws BillingError when nobody can pay here: money is not taken where nobody would hear that it came. */
export function paymentsOf({ payments, settings, log }: BillingRoom): Payments {
  if (payments && webhookSecretOf(settings) !== null) return payments
  const missing = payments ? 'STRIPE_WEBHOOK_SECRET' : 'STRIPE_SECRET_KEY'
  log.error(`A payment was asked for, but ${missing} is not set. Outside production payments are simulated while neither is.`)
  throw new BillingError('Payments are not set up on this service.')
}
