import { type BillingRoom, expectsLive } from './billing-room.ts'
import { factsOf, isKnown } from './events/stripe-events.ts'
import { applyFacts } from './payment-facts.store.ts'
import { RefusedFactsError } from './payment-facts.ts'
import { webhookSecretOf } from './payments-here.ts'
import { verifyEvent } from './verify-event.ts'

/** What the sender of an event is answered. 2xx says "do not send it again". */
export type EventAnswer = {
  readonly status: 200 | 400 | 503
  readonly body: { readonly received: true } | { readonly error: string; readonly message: string }
}

const received: EventAnswer = { status: 200, body: { received: true } }

const refusal = (status: 400 | 503, error: string, message: string): EventAnswer => ({ status, body: { error, message } })

const reasons = {
  unsigned: 'The event is not signed.',
  forged: 'The signature does not belong to this event.',
  stale: 'The signature is too old or lies ahead.',
  unreadable: 'The body is not an event.',
} as const

/** Characters of the header Stripe-Signature that are read; a time and three signatures have 250. */
const maxSignatureLength = 2_048

/** True for a header Stripe-Signature with a time and at least one signature of scheme v1. Stripe may add other items. */
function isWellFormed(signature: string): boolean {
  if (signature.length > maxSignatureLength) return false
  const items = signature.split(',').map((item) => item.trim())
  return items.some((item) => /^t=\d{1,15}$/.test(item)) && items.some((item) => /^v1=[0-9a-f]{64}$/.test(item))
}

/** Returns why an event is refused whatever its body is, before the body is read: nobody can sign here, or the header is no signature. Null otherwise. */
export function refuseUnread({ settings, log }: Pick<BillingRoom, 'settings' | 'log'>, signature: string | null): EventAnswer | null {
  const isConfigured = webhookSecretOf(settings) !== null
  if (isConfigured && signature !== null && isWellFormed(signature)) return null
  log.warn({ reason: isConfigured ? 'unsigned' : 'STRIPE_WEBHOOK_SECRET is not set' }, 'A Stripe event was refused; nothing was changed.')
  return isConfigured ? refusal(400, 'invalid_request', reasons.unsigned) : refusal(503, 'not_configured', 'This service takes no events.')
}

/**
 * Takes in an event of Stripe: raw body and the header Stripe-Signature. What is forged, stale or of another mode is refused with one line in the log
 * and changes nothing; so is what contradicts the purchase, but it is acknowledged, because sending it again would not make it true.
 * @throws when the database cannot be asked: the sender tries again later.
 */
export async function receiveEvent(room: BillingRoom, body: Uint8Array, signature: string | null): Promise<EventAnswer> {
  const { settings, log, pool } = room
  const refused = (reason: string, facts: object = {}) => log.warn({ reason, ...facts }, 'A Stripe event was refused; nothing was changed.')
  const secret = webhookSecretOf(settings)
  if (secret === null) {
    refused('STRIPE_WEBHOOK_SECRET is not set')
    return refusal(503, 'not_configured', 'This service takes no events.')
  }
  const verified = await verifyEvent(body, signature, secret)
  if ('refused' in verified) {
    refused(verified.refused)
    return refusal(400, 'invalid_request', reasons[verified.refused])
  }
  const { event } = verified
  const facts = { event: event.id, type: event.type }
  if (!isKnown(event)) {
    log.debug(facts, 'A Stripe event of a type that nothing depends on was acknowledged.')
    return received
  }
  if (event.livemode !== expectsLive(settings)) {
    refused(`it is of ${event.livemode ? 'live' : 'test'} mode, this service is not`, facts)
    return refusal(400, 'invalid_request', 'The event is of another mode than this service.')
  }
  try {
    const telling = { event: { id: event.id, type: event.type }, isLive: event.livemode, at: new Date(event.created * 1_000) }
    const applied = await applyFacts(pool, telling, factsOf(event))
    log.info({ ...facts, applied }, 'A Stripe event was taken in.')
  } catch (error) {
    if (!(error instanceof RefusedFactsError)) throw error
    log.error({ reason: error.message, ...facts }, 'A Stripe event contradicts its purchase; nothing was changed. Reconciliation will show it.')
  }
  return received
}
