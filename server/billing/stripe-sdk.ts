import type { Stripe } from 'stripe'
import { z } from 'zod'
import { clock } from '#server/clock.ts'

const timeoutMs = 10_000
const retries = 2

/** Loads the SDK on first use, which takes a quarter of a second and 35 MB. A process that only serves API calls never needs it. */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).Stripe
}

/** Creates a Stripe API client. `base` overrides Stripe's own URL, for example `http://127.0.0.1:4010`. */
export async function openStripe(key: string, base: string | null): Promise<Stripe> {
  const Sdk = await loadStripe()
  const url = base === null ? null : new URL(base)
  const server = url && {
    host: url.hostname,
    port: url.port || (url.protocol === 'http:' ? '80' : '443'),
    protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
  }
  return new Sdk(key, { timeout: timeoutMs, maxNetworkRetries: retries, telemetry: false, ...server })
}

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
type Verified = { readonly event: Stripe.Event } | { readonly refused: 'unsigned' | 'forged' | 'stale' | 'unreadable' }

/** Returns the time in a signature header. If there are several times, uses the last one, like the SDK. */
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
