/** ETag of an earlier response, or undefined. */
export type Tag = string | undefined

/** Options of a single call. They override the client's options. */
export type CallOptions<T extends Tag = Tag> = {
  /** ETag of an earlier response to the same call. If nothing has changed, the response has status 304 and no data, and is free. */
  readonly ifNoneMatch?: T
  /** Maximum credits that this call may cost. Lists are shortened to fit; a call with a higher fixed price is rejected (`insufficient_credits`). */
  readonly maxCredits?: number | undefined
  /**
   * Your own idempotency key instead of a generated one. Store it to repeat the call after a crash: within ten minutes, the same call with the same key is
   * charged once.
   */
  readonly idempotencyKey?: string | undefined
  /** Aborts the call, including its retries and the pauses between them. */
  readonly signal?: AbortSignal | undefined
  /** Timeout for each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Time limit for the whole call, including retries and pauses, in milliseconds. */
  readonly deadlineMs?: number | undefined
  /** Maximum retries after the first attempt. */
  readonly maxRetries?: number | undefined
}
