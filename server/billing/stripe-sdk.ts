import type { Stripe } from 'stripe'

const timeoutMs = 10_000
const retries = 2

/** The SDK, loaded with its first use: it takes a quarter of a second and 35 MB, which a gateway that only answers calls never needs. */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).Stripe
}

/** A client of Stripe's API. `base` is another place than Stripe's own, such as `http://127.0.0.1:4010`. */
export async function openStripe(key: string, base: string | null): Promise<Stripe> {
  const Sdk = await loadStripe()
  const address = base === null ? null : new URL(base)
  const place = address && {
    host: address.hostname,
    port: address.port || (address.protocol === 'http:' ? '80' : '443'),
    protocol: address.protocol === 'http:' ? ('http' as const) : ('https' as const),
  }
  return new Sdk(key, { timeout: timeoutMs, maxNetworkRetries: retries, telemetry: false, ...place })
}
