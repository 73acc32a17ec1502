import type { webhooks } from './generated/schema.ts'

type Documented = { [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'] }

/** Webhook events. New types are added over time, so give every `switch` over `type` a default case. */
export type WebhookEvent = Documented[keyof Documented]

export type WebhookFault = 'missing_signature' | 'malformed_signature' | 'too_old' | 'too_new' | 'wrong_signature' | 'malformed_body'

/** Thrown for a delivery that must not be trusted. Respond to it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export type WebhookDelivery = {
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** Request headers, as a `Headers` object or in Node's format; or just the value of `X-SVC-Signature`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>> | string | null
  /** The endpoint's secret (`whsec_…`), or several: the new and the old one during a rotation. */
  readonly secret: string | readonly string[]
  /** Maximum difference between the signature's time and now in seconds, in either direction. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Time to compare the signature's time with. Default: now. */
  readonly now?: Date | undefined
}

const headerName = 'x-svc-signature'
const utf8 = new TextEncoder()

function readHeader(headers: WebhookDelivery['headers']): string {
  if (typeof headers === 'string' || headers === null) return headers ?? ''
  if (headers instanceof Headers) return headers.get(headerName) ?? ''
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === headerName) ?? []
  return typeof value === 'string' ? value : value.join(',')
}

/** @throws WebhookError if the signature is missing or malformed */
function parseSignature(headers: WebhookDelivery['headers']): { readonly time: string; readonly values: readonly Uint8Array<ArrayBuffer>[] } {
  const header = readHeader(headers)
  if (header === '')
    throw new WebhookError(
      'missing_signature',
      'The X-SVC-Signature header is missing. Reject the request. If it should be genuine, check that you pass its original headers.',
    )
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const hex = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3))
  if (!/^\d{1,12}$/.test(time) || hex.length === 0)
    throw new WebhookError('malformed_signature', 'The X-SVC-Signature header is not in the format t=<seconds>,v1=<hex>. Reject the request.')
  return { time, values: hex.map((text) => Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16))) }
}

/** @throws RangeError or TypeError if the tolerance or the time is invalid */
function checkClock(toleranceSeconds: number, now: Date): void {
  if (!(Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds must be a number of seconds, 0 or more.')
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now must be a valid Date.')
}

function checkTime(time: string, toleranceSeconds: number, now: Date): void {
  const age = now.getTime() / 1_000 - Number(time)
  // The comparisons are negated so that they also reject NaN.
  if (!(age <= toleranceSeconds))
    throw new WebhookError('too_old', `The delivery was signed more than ${toleranceSeconds} seconds ago: reject it, or check this machine's clock.`)
  if (!(age >= -toleranceSeconds))
    throw new WebhookError('too_new', `The delivery was signed more than ${toleranceSeconds} seconds in the future: check this machine's clock.`)
}

function toBytes(body: WebhookDelivery['body']): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body)
  if (body instanceof ArrayBuffer || body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('body must be the raw body, as text or bytes, before any parsing.')
}

function toSecrets(secret: WebhookDelivery['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // With an empty secret, anyone could sign.
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one !== '')) {
    throw new TypeError("secret must be your endpoint's secret, or a list of secrets.")
  }
  return secrets
}

/** Returns true if one of the secrets produced one of the signatures. WebCrypto compares in constant time. */
async function isSigned(bytes: Uint8Array<ArrayBuffer>, values: readonly Uint8Array<ArrayBuffer>[], secrets: readonly string[]): Promise<boolean> {
  let isGenuine = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const value of values) isGenuine = (await crypto.subtle.verify('HMAC', key, value, bytes)) || isGenuine
  }
  return isGenuine
}

/**
 * Verifies that a delivery was signed recently with your secret, and returns its event. Uses WebCrypto, so it runs on Node and on edge platforms.
 * @throws WebhookError if the delivery must not be trusted; TypeError or RangeError if the body, the secret, the tolerance or the time is invalid
 */
export async function verifyWebhook({ body, headers, secret, toleranceSeconds = 300, now = new Date() }: WebhookDelivery): Promise<WebhookEvent> {
  const secrets = toSecrets(secret)
  checkClock(toleranceSeconds, now)
  const raw = toBytes(body)
  const { time, values } = parseSignature(headers)
  checkTime(time, toleranceSeconds, now)
  const prefix = utf8.encode(`${time}.`)
  const signed = new Uint8Array(prefix.length + raw.length)
  signed.set(prefix)
  signed.set(raw, prefix.length)
  if (!(await isSigned(signed, values, secrets))) {
    throw new WebhookError(
      'wrong_signature',
      "The signature doesn't match. Reject the request. If it should be genuine, check that you use the raw body and the endpoint's secret.",
    )
  }
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as WebhookEvent
  } catch {
    throw new WebhookError('malformed_body', 'The body is not JSON.')
  }
}
