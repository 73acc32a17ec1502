import { version, type wait } from '../settings.ts'

/** Event to forward: the body of a webhook, and the id of its delivery. */
export type ForwardedEvent = {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly data: unknown
  readonly delivery: string
}

/** Result of forwarding an event. `status` is null if there was no response; `fault` then says why. */
export type Forwarded = {
  readonly event: ForwardedEvent
  readonly status: number | null
  readonly fault: string | null
  readonly attempts: number
  readonly totalMs: number
  /** True if the server returned 2xx. */
  readonly isDelivered: boolean
}

export type ForwardTarget = { readonly url: string; readonly secret: string; readonly fetch: typeof fetch; readonly wait: typeof wait }

/** Time limit for a response, the same as for webhook deliveries. */
const timeoutMs = 10_000
/** Maximum attempts if there is no response, for example while the server restarts. A server that responds gets each event once. */
const maxAttempts = 3
const pauseMs = 1_000

const utf8 = new TextEncoder()
const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns random text of digits and letters. Bytes above the largest multiple of 62 are skipped, so that all characters are equally likely. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) if (byte < 248 && text.length < length) text += characters[byte % 62]
  }
  return text
}

/** Generates a signing secret like those of webhook endpoints. */
export const newSecret = (): string => `whsec_${randomText(40)}`

/** Returns the value of X-SVC-Signature for a body, as the service sends it. */
export async function signBody(body: string, secret: string, now: Date): Promise<string> {
  const time = Math.floor(now.getTime() / 1_000)
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(`${time}.${body}`)))
  return `t=${time},v1=${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

type Response = Pick<Forwarded, 'status' | 'fault'>

/** Returns a message that says why a request failed, with a code such as `ECONNREFUSED`. */
function describe(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `No response within ${timeoutMs / 1_000} seconds.`
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `No response from the server${code}.`
}

/** Makes one attempt. @throws the abort reason of the signal */
async function post({ id, type, createdAt, data, delivery }: ForwardedEvent, attempt: number, target: ForwardTarget, signal: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ id, type, createdAt, attempt, data })
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `savings-rates-client/${version} (listen)`,
    'X-SVC-Event': type,
    'X-SVC-Delivery': delivery,
    'X-SVC-Signature': await signBody(body, target.secret, new Date()),
  }
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await target.fetch(target.url, { method: 'POST', headers, body, redirect: 'manual', signal: limit })
    await response.body?.cancel()
    // Browsers hide the status of a redirect.
    return { status: response.status || null, fault: response.status === 0 ? 'Redirects are not followed.' : null }
  } catch (error) {
    signal.throwIfAborted()
    return { status: null, fault: describe(error) }
  }
}

/** Signs an event and sends it to a server. Retries only if there is no response. @throws the abort reason of the signal */
export async function forwardEvent(event: ForwardedEvent, target: ForwardTarget, signal: AbortSignal): Promise<Forwarded> {
  const begun = performance.now()
  for (let attempts = 1; ; attempts++) {
    const { status, fault } = await post(event, attempts, target, signal)
    if (status === null && attempts < maxAttempts) {
      await target.wait(pauseMs * attempts, signal)
      continue
    }
    const isDelivered = status !== null && status >= 200 && status < 300
    return { event, status, fault, attempts, totalMs: Math.round(performance.now() - begun), isDelivered }
  }
}
