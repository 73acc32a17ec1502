import type { Stripe } from 'stripe'
import { z } from 'zod'
import { clock } from '#server/clock.ts'
import { loadStripe } from './stripe-sdk.ts'

/** Seconds that a signature holds, before and after the time it names. */
const toleranceSeconds = 300

const Envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  livemode: z.boolean(),
  created: z.int().min(0).max(99_999_999_999),
  data: z.object({ object: z.looseObject({}) }),
})

/** An event, or in a word why it is none: `unsigned`, `forged`, `stale`, `unreadable`. */
export type Verified = { readonly event: Stripe.Event } | { readonly refused: 'unsigned' | 'forged' | 'stale' | 'unreadable' }

/** When a signature says it was made; the last time counts, as it does for the SDK. */
const signedAt = (header: string): number => Number(/.*(?:^|,)t=(\d+)/.exec(header)?.[1])

/**
 * Reads an event out of the bytes that were signed. The SDK compares the signature and refuses what is too old; a time too far ahead is refused
 * here, because it would make a signature hold for as long as its maker likes.
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
