import type { Envelope } from './answer.ts'
import type { CallOptions } from './call-options.ts'
import { table } from './generated/table.ts'
import { type ErrorBody, SavingsRatesError } from './savings-rates-error.ts'
import { checked, pauseBefore, retryAfterSeconds, type Settings, version } from './settings.ts'
import type { OperationId } from './shapes.ts'

/** Request of a call, identical for every attempt. */
type Outgoing = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON body of a call that changes something; null for all other calls. */
  readonly body: string | null
  readonly idempotencyKey: string | null
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Encodes a path parameter. Rejects "." and "..", which would be resolved as path segments. */
function pathPart(name: string, text: string | null): string {
  if (text === null || text === '' || text === '.' || text === '..') throw new TypeError(`"${name}" is missing or can't be used in a URL path.`)
  return encodeURIComponent(text)
}

/** Fills the parameters of a path. */
const fillPath = (path: string, input: object): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, toText((input as Record<string, unknown>)[name])))

function buildPath(path: string, input: object): string {
  const query = new URLSearchParams()
  let filled = fillPath(path, input)
  for (const [name, value] of Object.entries(input)) {
    const text = path.includes(`{${name}}`) ? null : toText(value)
    if (text !== null) query.append(name, text)
  }
  if (query.size > 0) filled += `?${query}`
  return filled
}

/** Returns the body of a call that changes something: its input, without the parameters of the path. */
const buildBody = (path: string, input: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(`{${name}}`))))

/** Builds the request of a call. Calls that cost credits or change something get an idempotency key, so that retries have no further effect. */
export function outgoing(id: OperationId, input: object, settings: Settings, options: CallOptions): Outgoing {
  const { method, path, credits } = table[id]
  const isCharged = credits > 0
  const isAction = method !== 'GET'
  const idempotencyKey = isCharged || isAction ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  const maxCredits = options.maxCredits === undefined ? settings.maxCredits : checked.maxCredits(options.maxCredits)
  return {
    url: settings.baseUrl + (isAction ? fillPath(path, input) : buildPath(path, input)),
    method,
    body: isAction ? buildBody(path, input) : null,
    idempotencyKey,
    headers: {
      ...(settings.apiKey === null ? {} : { Authorization: `Bearer ${settings.apiKey}` }),
      Accept: 'application/json',
      ...(isAction ? { 'Content-Type': 'application/json' } : {}),
      'User-Agent': `savings-rates-client/${version}`,
      ...(options.ifNoneMatch === undefined ? {} : { 'If-None-Match': options.ifNoneMatch }),
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(isCharged && maxCredits !== null ? { 'X-SVC-Max-Credits': String(maxCredits) } : {}),
    },
  }
}

/** Response whose body has been read completely. */
type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

/** A successful response: its envelope, or null if nothing has changed. */
type Granted = { readonly headers: Headers; readonly envelope: Envelope | null }

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null // Not JSON, so not from the service.
  }
}

const isErrorBody = (body: Readonly<Record<string, unknown>> | null): body is ErrorBody =>
  typeof body?.['error'] === 'string' && typeof body['message'] === 'string'

/**
 * Parses the body of a 200. Returns an error if it is not an envelope, because the response must then have come from something other than the API, such as a
 * proxy.
 */
function parseEnvelope({ status, headers, text }: Reply): Envelope | SavingsRatesError {
  const body = parseObject(text)
  const meta = body?.['meta']
  if (body && 'data' in body && typeof meta === 'object' && meta !== null) return { data: body['data'], meta }
  const message = 'The response is not from the API. Check baseUrl and any proxies.'
  return new SavingsRatesError({ code: 'unexpected_answer', message, status, requestId: headers.get('X-SVC-Request-Id') })
}

/** Converts a response that is neither 200 nor 304 to an error. */
function parseError({ status, headers, text }: Reply): SavingsRatesError {
  const body = parseObject(text)
  const requestId = headers.get('X-SVC-Request-Id')
  const seconds = retryAfterSeconds(headers)
  if (!isErrorBody(body)) {
    const message = `Status ${status} without an API error. Check baseUrl and any proxies.`
    return new SavingsRatesError({ code: 'unexpected_answer', message, status, requestId, retryAfterSeconds: seconds })
  }
  const { error: code, message, docs } = body
  return new SavingsRatesError({
    code,
    message,
    status,
    requestId: body.requestId ?? requestId,
    docs,
    retryAfterSeconds: seconds,
    body,
    etag: headers.get('ETag'),
  })
}

/** Converts a response to a result or an error. A 304 to a call without an ETag is an error: it has no data, and comes from a cache in between. */
function read(reply: Reply, call: Pick<Outgoing, 'headers'>): Granted | SavingsRatesError {
  const { status, headers } = reply
  if (status === 304 && call.headers['If-None-Match'] !== undefined) return { headers, envelope: null }
  const result = status === 200 ? parseEnvelope(reply) : parseError(reply)
  return result instanceof SavingsRatesError ? result : { headers, envelope: result }
}

/** Makes one attempt. Returns the result or an error; throws only the abort reason of the caller's signal. */
async function attempt(
  settings: Settings,
  { url, method, headers, body }: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Granted | SavingsRatesError> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const giveUp = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    ending.abort()
  }, timeoutMs)
  try {
    const response = await settings.fetch(url, { method, headers, ...(body === null ? {} : { body }), redirect: 'manual', signal: ending.signal })
    // A truncated response is a network error.
    return read({ status: response.status, headers: response.headers, text: await response.text() }, { headers })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (isTimedOut) return new SavingsRatesError({ code: 'timeout', message: `No response within ${Math.round(timeoutMs)} ms.`, cause })
    return new SavingsRatesError({
      code: 'network_error',
      message: 'The service could not be reached, or the connection was lost. Check the network and baseUrl.',
      cause,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Returns the limits of a call: its own, or those of the client. @throws RangeError */
const readLimits = (settings: Settings, options: CallOptions) => ({
  timeoutMs: checked.timeoutMs(options.timeoutMs ?? settings.timeoutMs),
  maxRetries: checked.maxRetries(options.maxRetries ?? settings.maxRetries),
  deadlineMs: checked.deadlineMs(options.deadlineMs ?? settings.deadlineMs),
})

/**
 * Sends a call, with retries, until it succeeds or runs out of attempts or time. @throws SavingsRatesError of the last attempt, or the abort reason of the
 * caller's signal
 */
export async function send(settings: Settings, call: Outgoing, options: CallOptions): Promise<Granted> {
  const { timeoutMs, maxRetries, deadlineMs } = readLimits(settings, options)
  const endsAt = performance.now() + deadlineMs
  for (let attempts = 1; ; attempts++) {
    const result = await attempt(settings, call, Math.min(timeoutMs, endsAt - performance.now()), options.signal)
    if (!(result instanceof SavingsRatesError)) return result
    result.attempts = attempts
    result.idempotencyKey = call.idempotencyKey
    const pauseMs = attempts > maxRetries ? null : pauseBefore(result, attempts)
    // If the pause would exceed the deadline, fail immediately. The error says how long to wait.
    if (pauseMs === null || performance.now() + pauseMs >= endsAt) throw result
    await settings.wait(pauseMs, options.signal)
    // A pause can take longer, for example if the computer sleeps. A later attempt could be charged again.
    if (performance.now() >= endsAt) throw result
  }
}
