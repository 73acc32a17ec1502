import type { Stripe } from 'stripe'

const timeoutMs = 10_000
const retries = 2

/** Loads the SDK on first use: it takes a quarter of a second and 35 MB, which a process that only serves API calls never needs. */
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
