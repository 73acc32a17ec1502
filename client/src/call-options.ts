/** An ETag of an earlier answer, or none. */
export type Tag = string | undefined

/** What can be said about one call, over what was said for all of them. */
export type CallOptions<T extends Tag = Tag> = {
  /** ETag of an earlier answer to the same call. When nothing changed, the answer has the status 304, no data, and costs nothing. */
  readonly ifNoneMatch?: T
  /** Most credits that this call may cost. A list is cut to it; a price above it is refused (`insufficient_credits`). */
  readonly maxCredits?: number | undefined
  /**
   * A key of your own instead of one that is made for this call. Keep it to make the same call again after your program ended in between: within ten minutes
   * the same key on the same call is charged once.
   */
  readonly idempotencyKey?: string | undefined
  /** Ends the call, its retries and its pauses. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  readonly timeoutMs?: number | undefined
  /** How long the call may take with all its attempts and pauses. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. */
  readonly maxRetries?: number | undefined
}
