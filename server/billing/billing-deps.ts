import type { Pool } from 'pg'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Log } from '#server/observability/log.ts'
import type { PaymentMode, Payments } from './payments.ts'

export type BillingSettings = {
  /** Stripe secret key. If null, payments are simulated when development features are on, and unavailable otherwise. */
  readonly stripeKey: string | null
  /** Secret that Stripe signs its events with. */
  readonly webhookSecret: string | null
  /** Base URL of Stripe's API; null for the default. */
  readonly stripeBase: string | null
  /** VAT included in prices: the rate in basis points, and the id of the same tax rate at Stripe, for invoices. Null if none is shown. */
  readonly vat: { readonly basisPoints: number; readonly stripeTaxRate: string | null } | null
  /** Credits that one administrator may move per account and day; more needs a second administrator. */
  readonly fourEyesCredits: number
  readonly developmentFeatures: boolean
  readonly publicUrl: string
  /** Secret of the service, from which the key of simulated payments is derived. */
  readonly secret: string
}

/** Dependencies of the billing module. */
export type BillingDeps = {
  readonly pool: Pool
  readonly log: Log
  readonly settings: BillingSettings
  /** Null if payments are unavailable: Stripe is not configured and development features are off. */
  readonly payments: Payments | null
  /** Origin that this process listens on, once known; simulated payments post their events there. */
  readonly address: { origin: string | null }
}

/** Thrown when a billing action is impossible, independent of any form field; the message is shown to the user. */
export class BillingError extends FieldsError {
  constructor(message: string) {
    super({ form: message })
    this.name = 'BillingError'
  }
}

/** Returns true for a Stripe key of live mode. */
export const isLiveKey = (stripeKey: string): boolean => /^(?:sk|rk)_live_/.test(stripeKey)

/** Returns the payment mode of this service; null if payments are unavailable. Production only accepts live mode. */
export function getPaymentMode({ stripeKey, developmentFeatures }: BillingSettings): PaymentMode | null {
  if (stripeKey !== null && isLiveKey(stripeKey)) return 'live'
  if (!developmentFeatures) return null
  return stripeKey === null ? 'simulated' : 'test'
}

/** Returns true if live-mode events are expected: always in production, even without a Stripe key. */
export function expectsLive(settings: BillingSettings): boolean {
  return !settings.developmentFeatures || getPaymentMode(settings) === 'live'
}
