import type { Pool } from 'pg'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Log } from '#server/observability/log.ts'
import type { PaymentMode, Payments } from './payments.ts'

export type BillingSettings = {
  /** Null: no Stripe. Payments are simulated if this service has development features, and impossible otherwise. */
  readonly stripeKey: string | null
  /** What Stripe signs its events with. */
  readonly webhookSecret: string | null
  /** Where Stripe's API is; null: where Stripe has it. */
  readonly stripeBase: string | null
  /** VAT that prices include: the rate in hundredths of a percent, and the same rate as Stripe knows it, for its invoices. Null: none is shown. */
  readonly vat: { readonly basisPoints: number; readonly stripeTaxRate: string | null } | null
  /** Credits that one administrator may move for an account within a day; more needs a second one. */
  readonly fourEyesCredits: number
  readonly developmentFeatures: boolean
  readonly publicUrl: string
  /** The secret of the service, from which simulated payments have theirs. */
  readonly secret: string
}

/** What the room needs of the process that it works in. */
export type BillingRoom = {
  readonly pool: Pool
  readonly log: Log
  readonly settings: BillingSettings
  /** Null: nobody can pay here, because Stripe is not set up and this service has no development features. */
  readonly payments: Payments | null
  /** Where this process listens, as soon as it does; simulated payments post their events there. */
  readonly address: { origin: string | null }
}

/** What is asked for cannot be done, whatever the form says; the message is for the person who asks. */
export class BillingError extends FieldsError {
  constructor(message: string) {
    super({ form: message })
    this.name = 'BillingError'
  }
}

/** Whether a secret key of Stripe takes real money. */
export const isLiveKey = (stripeKey: string): boolean => /^(?:sk|rk)_live_/.test(stripeKey)

/** The mode in which this service takes money; null: it takes none. In production that is real money only, whatever the key says. */
export function modeOf({ stripeKey, developmentFeatures }: BillingSettings): PaymentMode | null {
  if (stripeKey !== null && isLiveKey(stripeKey)) return 'live'
  if (!developmentFeatures) return null
  return stripeKey === null ? 'simulated' : 'test'
}

/** Whether events of real money are expected: always in production, which without a key of Stripe may still be told of it. */
export function expectsLive(settings: BillingSettings): boolean {
  return !settings.developmentFeatures || modeOf(settings) === 'live'
}
