import type { Envelope } from './answer.ts'
import { retryAfterSeconds } from './retry.ts'
import { type ErrorBody, SavingsRatesError } from './savings-rates-error.ts'

/** A response read to its end. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

/** A successful response: its envelope, or null if nothing has changed. */
export type Granted = { readonly headers: Headers; readonly envelope: Envelope | null }

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

/** Parses the body of a 200. Returns an error if it is no envelope, because something between client and service responded. */
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
  return new SavingsRatesError({ code, message, status, requestId: body.requestId ?? requestId, docs, retryAfterSeconds: seconds, body })
}

/** Converts a response to a result or an error. */
export function read(reply: Reply): Granted | SavingsRatesError {
  const { status, headers } = reply
  if (status === 304) return { headers, envelope: null }
  const result = status === 200 ? parseEnvelope(reply) : parseError(reply)
  return result instanceof SavingsRatesError ? result : { headers, envelope: result }
}
