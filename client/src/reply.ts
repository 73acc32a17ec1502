import { retryAfterSeconds } from './retry.ts'
import { type ErrorBody, SavingsRatesError } from './savings-rates-error.ts'

/** An answer as it came, read to its end. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

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

/** The body of a 200. @throws SavingsRatesError when it is not an envelope: something between here and the service answered. */
export function envelopeOf({ status, text }: Reply): { readonly data: unknown; readonly meta: object } {
  const body = parsed(text)
  const meta = body?.['meta']
  if (body && 'data' in body && typeof meta === 'object' && meta !== null) return { data: body['data'], meta }
  throw new SavingsRatesError({ code: 'unexpected_answer', message: 'The answer is not one of the API: look at baseUrl, and at what stands between.', status })
}

/** What an answer that is neither 200 nor 304 means. */
export function errorOf({ status, headers, text }: Reply): SavingsRatesError {
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
