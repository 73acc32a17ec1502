import type { Stripe } from 'stripe'
import { z } from 'zod'
import { clock } from '#server/clock.ts'
import { loadStripe } from './stripe-sdk.ts'

/** Maximum difference between the time of a signature and now, in either direction. */
const toleranceSeconds = 300

const Envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  livemode: z.boolean(),
  created: z.int().min(0).max(99_999_999_999),
  data: z.object({ object: z.looseObject({}) }),
})

/** Verified event, or the reason for rejecting it. */
export type Verified = { readonly event: Stripe.Event } | { readonly refused: 'unsigned' | 'forged' | 'stale' | 'unreadable' }

/** Returns the time in a signature header; the last one counts, as in the SDK. */
const signedAt = (header: string): number => Number(/.*(?:^|,)t=(\d+)/.exec(header)?.[1])

/**
 * Verifies a signature and parses the event. The SDK checks the signature and rejects old timestamps; a timestamp too far in the future is rejected here,
 * because the signature would otherwise remain valid until then.
 */
export async function verifyEvent(body: Uint8Array, signature: string | null, secret: string): Promise<Verified> {
  if (signature === null || signature === '' || body.length === 0) return { refused: 'unsigned' }
  const { webhooks, errors } = await loadStripe()
  const now = clock.now()
  try {
    const event = webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now)
    if (signedAt(signature) > now / 1_000 + toleranceSeconds) return { refused: 'stale' }
    return Envelope.safeParse(event).success ? { event } : { refused: 'unreadable' }
  } catch (error) {
    if (!(error instanceof errors.StripeSignatureVerificationError)) return { refused: 'unreadable' }
    return { refused: error.message.startsWith('Timestamp') ? 'stale' : 'forged' }
  }
}
