import type { components } from './generated/schema.ts'

type Answers = components['responses']
type JsonBody<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never

/** Error body of the service. Its fields depend on `error`. */
export type ErrorBody = { [Name in keyof Answers]: JsonBody<Answers[Name]> }[keyof Answers]

/** Error codes of the service. */
export type ErrorCode = ErrorBody['error']

/** Failures without a valid response from the service: no connection, a timeout, or a response that came from elsewhere, such as a proxy. */
export type TransportCode = 'network_error' | 'timeout' | 'unexpected_answer'

type Facts = {
  readonly code: ErrorCode | TransportCode
  readonly message: string
  readonly status?: number
  readonly requestId?: string | null
  readonly docs?: string | null
  readonly retryAfterSeconds?: number | null
  readonly body?: ErrorBody | null
  readonly etag?: string | null
  readonly cause?: unknown
}

/** A failed call. Branch on `code`; `message` is for people. */
export class SavingsRatesError extends Error {
  override readonly name = 'SavingsRatesError'
  readonly code: ErrorCode | TransportCode
  /** HTTP status; null if there was no response. */
  readonly status: number | null
  /** ID of the request, to quote when you contact support; null if the request didn't reach the service or its response was lost. */
  readonly requestId: string | null
  /** URL of the error code's documentation; null if the service did not send one. */
  readonly docs: string | null
  /** Seconds to wait before retrying, if the service specified them. */
  readonly retryAfterSeconds: number | null
  /** Complete error body, or null. For example, if `error.body?.error` is `'insufficient_credits'`, the body has `required`, `balance` and `topUp`. */
  readonly body: ErrorBody | null
  /** With `replay_unavailable`, the ETag of the page that was paid for; otherwise null. A stored response with this ETag is that page. */
  readonly etag: string | null
  /** Number of attempts made, including the one that failed with this error. */
  attempts = 1
  /** Idempotency key of the call; null for free calls. Repeating the call with it within ten minutes avoids a second charge. */
  idempotencyKey: string | null = null

  constructor({ code, message, status, requestId, docs, retryAfterSeconds, body, etag, cause }: Facts) {
    super(message, { cause })
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.docs = docs ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
    this.body = body ?? null
    this.etag = etag ?? null
  }
}
