import type { components } from './generated/schema.ts'

type Answers = components['responses']
type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never

/** What the service says when it refuses a call. Which fields there are depends on `error`. */
export type ErrorBody = { [Name in keyof Answers]: BodyOf<Answers[Name]> }[keyof Answers]

/** Codes of the service. */
export type ErrorCode = ErrorBody['error']

/** What keeps an answer of the service from being had at all: no connection, no answer in time, an answer of somebody else. */
export type TransportCode = 'network_error' | 'timeout' | 'unexpected_answer'

type Facts = {
  readonly code: ErrorCode | TransportCode
  readonly message: string
  readonly status?: number
  readonly requestId?: string | null
  readonly docs?: string | null
  readonly retryAfterSeconds?: number | null
  readonly body?: ErrorBody | null
  readonly cause?: unknown
}

/** A call that was not answered with data. Decide by `code`; `message` is for people. */
export class SavingsRatesError extends Error {
  override readonly name = 'SavingsRatesError'
  readonly code: ErrorCode | TransportCode
  /** HTTP status; null when there was no answer. */
  readonly status: number | null
  /** To quote to support; null when the service did not see the call, or its answer was lost. */
  readonly requestId: string | null
  /** Page about the code. */
  readonly docs: string | null
  /** How long to wait before the next try, when the service said so. */
  readonly retryAfterSeconds: number | null
  /** All that the service said: `error.body?.error === 'insufficient_credits'` leads to `required`, `balance` and `topUp`. */
  readonly body: ErrorBody | null
  /** Attempts that were made, this one included. */
  attempts = 1
  /** Key of the call. Make the same call with it within ten minutes, and what an attempt was charged is not charged again. */
  idempotencyKey: string | null = null

  constructor({ code, message, status, requestId, docs, retryAfterSeconds, body, cause }: Facts) {
    super(message, { cause })
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.docs = docs ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
    this.body = body ?? null
  }
}
