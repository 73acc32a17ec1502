import type { webhooks } from './generated/schema.ts'

type Documented = { [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'] }

/** What webhooks tell of. Types are added: give a `switch` over `type` a default. */
export type WebhookEvent = Documented[keyof Documented]

export type WebhookFault = 'missing_signature' | 'malformed_signature' | 'too_old' | 'too_new' | 'wrong_signature' | 'malformed_body'

/** A delivery that must not be believed, and why. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export type WebhookDelivery = {
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** Headers of the request, as a `Headers` or as Node has them; or the value of `X-SVC-Signature` alone. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>> | string | null
  /** The secret of your endpoint (`whsec_…`), or all that may have signed: the new one and the old one while you rotate. */
  readonly secret: string | readonly string[]
  /** How far the time of the signature may be from now, in either direction. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** The time to compare with. Default: now. */
  readonly now?: Date | undefined
}

const headerName = 'x-svc-signature'
const utf8 = new TextEncoder()

function headerOf(headers: WebhookDelivery['headers']): string {
  if (typeof headers === 'string' || headers === null) return headers ?? ''
  if (headers instanceof Headers) return headers.get(headerName) ?? ''
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === headerName) ?? []
  return typeof value === 'string' ? value : value.join(',')
}

/** @throws WebhookError when there is no signature, or none that can be read */
function signatureOf(headers: WebhookDelivery['headers']): { readonly time: string; readonly values: readonly Uint8Array<ArrayBuffer>[] } {
  const header = headerOf(headers)
  if (header === '') throw new WebhookError('missing_signature', 'There is no X-SVC-Signature: this is not a delivery of the service.')
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const hex = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3))
  if (!/^\d{1,12}$/.test(time) || hex.length === 0) throw new WebhookError('malformed_signature', 'X-SVC-Signature is not of the form t=<seconds>,v1=<hex>.')
  return { time, values: hex.map((text) => Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16))) }
}

/** @throws RangeError or TypeError when there is nothing to compare the time of a signature with */
function checkClock(toleranceSeconds: number, now: Date): void {
  if (!(Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds has to be a number of seconds, 0 or more.')
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now has to be a Date that is a time.')
}

function checkTime(time: string, toleranceSeconds: number, now: Date): void {
  const age = now.getTime() / 1_000 - Number(time)
  // Asked this way round, what is no number is refused.
  if (!(age <= toleranceSeconds)) throw new WebhookError('too_old', `The delivery was signed more than ${toleranceSeconds} seconds ago.`)
  if (!(age >= -toleranceSeconds))
    throw new WebhookError('too_new', `The delivery was signed more than ${toleranceSeconds} seconds from now: look at the clock here.`)
}

function bytesOf(body: WebhookDelivery['body']): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body)
  if (body instanceof ArrayBuffer || body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('body has to be the raw body, as text or bytes: something has parsed it.')
}

function secretsOf(secret: WebhookDelivery['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // An empty secret is one by which anybody could sign.
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one !== '')) {
    throw new TypeError('secret has to be the secret of your endpoint, or a list of them.')
  }
  return secrets
}

/** Whether one of the secrets made one of the values. The platform compares, in constant time. */
async function isSigned(bytes: Uint8Array<ArrayBuffer>, values: readonly Uint8Array<ArrayBuffer>[], secrets: readonly string[]): Promise<boolean> {
  let isGenuine = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const value of values) isGenuine = (await crypto.subtle.verify('HMAC', key, value, bytes)) || isGenuine
  }
  return isGenuine
}

/**
 * Checks that a delivery was signed by the service, lately and by your secret, and gives its event. It uses WebCrypto, so it runs on Node and on edge hosts.
 * @throws WebhookError when the delivery must not be believed, TypeError or RangeError when it is called without a raw body, a secret, or a tolerance and a time
 * that can be compared
 */
export async function verifyWebhook({ body, headers, secret, toleranceSeconds = 300, now = new Date() }: WebhookDelivery): Promise<WebhookEvent> {
  const secrets = secretsOf(secret)
  checkClock(toleranceSeconds, now)
  const raw = bytesOf(body)
  const { time, values } = signatureOf(headers)
  checkTime(time, toleranceSeconds, now)
  const prefix = utf8.encode(`${time}.`)
  const signed = new Uint8Array(prefix.length + raw.length)
  signed.set(prefix)
  signed.set(raw, prefix.length)
  if (!(await isSigned(signed, values, secrets))) {
    throw new WebhookError('wrong_signature', 'The signature was not made by this secret over this body: use the raw body and the secret of the endpoint.')
  }
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as WebhookEvent
  } catch {
    throw new WebhookError('malformed_body', 'The body is no JSON.')
  }
}
