import type { Envelope } from './answer.ts'
import { retryAfterSeconds } from './retry.ts'
import { type ErrorBody, SavingsRatesError } from './savings-rates-error.ts'

/** An answer as it came, read to its end. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

/** What the service granted: its envelope, or null when nothing changed. */
export type Granted = { readonly headers: Headers; readonly envelope: Envelope | null }

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null // It is no JSON, so it is not from the service.
  }
}

const isErrorBody = (body: Readonly<Record<string, unknown>> | null): body is ErrorBody =>
  typeof body?.['error'] === 'string' && typeof body['message'] === 'string'

/** The body of a 200, or that it is no envelope: something between here and the service answered. */
function envelopeOf({ status, headers, text }: Reply): Envelope | SavingsRatesError {
  const body = parsed(text)
  const meta = body?.['meta']
  if (body && 'data' in body && typeof meta === 'object' && meta !== null) return { data: body['data'], meta }
  const message = 'The answer is not one of the API: look at baseUrl, and at what stands between.'
  return new SavingsRatesError({ code: 'unexpected_answer', message, status, requestId: headers.get('X-SVC-Request-Id') })
}

/** What an answer that is neither 200 nor 304 means. */
function errorOf({ status, headers, text }: Reply): SavingsRatesError {
  const body = parsed(text)
  const requestId = headers.get('X-SVC-Request-Id')
  const seconds = retryAfterSeconds(headers)
  if (!isErrorBody(body)) {
    const message = `Status ${status} without an error of the API: look at baseUrl, and at what stands between.`
    return new SavingsRatesError({ code: 'unexpected_answer', message, status, requestId, retryAfterSeconds: seconds })
  }
  const { error: code, message, docs } = body
  return new SavingsRatesError({ code, message, status, requestId: body.requestId ?? requestId, docs, retryAfterSeconds: seconds, body })
}

/** What a reply says: what was granted, or why nothing was. */
export function read(reply: Reply): Granted | SavingsRatesError {
  const { status, headers } = reply
  if (status === 304) return { headers, envelope: null }
  const said = status === 200 ? envelopeOf(reply) : errorOf(reply)
  return said instanceof SavingsRatesError ? said : { headers, envelope: said }
}
