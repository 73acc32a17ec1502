import { applyPaymentChange } from './apply-payment.ts'
import { type BillingDeps, expectsLive, getWebhookSecret } from './billing-deps.ts'
import { RefusedChangeError } from './payment-change.ts'
import { isKnown, readPaymentChange } from './stripe-events.ts'
import { verifyEvent } from './stripe-sdk.ts'

/** Response to the sender of an event. 2xx stops Stripe from retrying. */
export type EventAnswer = {
  readonly status: 200 | 400 | 503
  readonly body: { readonly received: true } | { readonly error: string; readonly message: string }
}

const received: EventAnswer = { status: 200, body: { received: true } }

const refusal = (status: 400 | 503, error: string, message: string): EventAnswer => ({ status, body: { error, message } })

const notConfigured = refusal(503, 'not_configured', 'This service is not set up to receive events.')

const reasons = {
  unsigned: 'The event is not signed.',
  forged: 'The signature does not match this event.',
  stale: 'The signature timestamp is outside the tolerance.',
  unreadable: 'The body is not an event.',
} as const

/** Maximum length of the Stripe-Signature header; a timestamp and three signatures take 250 characters. */
const maxSignatureLength = 2_048

/** Returns true for a Stripe-Signature header with a timestamp and at least one v1 signature. Stripe may add other items. */
function isWellFormed(signature: string): boolean {
  if (signature.length > maxSignatureLength) return false
  const items = signature.split(',').map((item) => item.trim())
  return items.some((item) => /^t=\d{1,15}$/.test(item)) && items.some((item) => /^v1=[0-9a-f]{64}$/.test(item))
}

/** Rejects an event before its body is read if no signing secret is set or the signature header is malformed. Returns null otherwise. */
export function refuseUnread({ settings, log }: Pick<BillingDeps, 'settings' | 'log'>, signature: string | null): EventAnswer | null {
  const isConfigured = getWebhookSecret(settings) !== null
  if (isConfigured && signature !== null && isWellFormed(signature)) return null
  log.warn({ reason: isConfigured ? 'unsigned' : 'STRIPE_WEBHOOK_SECRET is not set' }, 'Rejected a Stripe event; nothing was changed.')
  return isConfigured ? refusal(400, 'invalid_request', reasons.unsigned) : notConfigured
}

/**
 * Processes a Stripe event, given the raw body and the Stripe-Signature header. Events that are forged, stale or from the other Stripe mode are rejected and
 * logged, and change nothing. An event that contradicts its purchase changes nothing but is acknowledged, because a retry would not help.
 * @throws if the database is unavailable, so that Stripe retries
 */
export async function receiveEvent(deps: BillingDeps, body: Uint8Array, signature: string | null): Promise<EventAnswer> {
  const { settings, log, pool } = deps
  const refused = (reason: string, fields: object = {}) => log.warn({ reason, ...fields }, 'Rejected a Stripe event; nothing was changed.')
  const secret = getWebhookSecret(settings)
  if (secret === null) {
    refused('STRIPE_WEBHOOK_SECRET is not set')
    return notConfigured
  }
  const verified = await verifyEvent(body, signature, secret)
  if ('refused' in verified) {
    refused(verified.refused)
    return refusal(400, 'invalid_request', reasons[verified.refused])
  }
  const { event } = verified
  const fields = { event: event.id, type: event.type }
  if (!isKnown(event)) {
    log.debug(fields, 'Ignored a Stripe event of an unhandled type.')
    return received
  }
  if (event.livemode !== expectsLive(settings)) {
    refused(`the event is in ${event.livemode ? 'live' : 'test'} mode, but this service is not`, fields)
    return refusal(
      400,
      'invalid_request',
      "The event's Stripe mode (live or test) doesn't match this service's. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET from the same mode.",
    )
  }
  try {
    const source = { event: { id: event.id, type: event.type }, isLive: event.livemode, at: new Date(event.created * 1_000) }
    const applied = await applyPaymentChange(pool, source, readPaymentChange(event))
    log.info({ ...fields, applied }, 'Processed a Stripe event.')
  } catch (error) {
    if (!(error instanceof RefusedChangeError)) throw error
    log.error({ reason: error.message, ...fields }, 'A Stripe event contradicts its purchase; nothing was changed. Reconciliation will report the difference.')
  }
  return received
}
