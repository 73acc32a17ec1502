/** Endpoint of a call, with the fields that metrics and traces need. */
export type CalledEndpoint = { readonly no: number; readonly id: string; readonly method: string; readonly path: string }

/** Record of a completed call. */
export type EndedCall = {
  readonly begun: number
  /** Alternating step numbers and end times; null if the steps of this call were not timed. */
  readonly marks: readonly number[] | null
  readonly mode: number
  readonly credits: number
  /** Endpoint of the call; null if its path is unknown. */
  readonly endpoint: CalledEndpoint | null
  readonly requestId: string
  readonly status: number
  /** Number of the error in the request log; 0 if there is none. */
  readonly error: number
  /** Path after the version prefix, with its query. */
  readonly target: string
}

/** Traced call. Times are those of `performance.now()`. */
export type CallTrace = {
  /** Ends the trace. Called once, when the response has been written. */
  end: (call: EndedCall, endedAt: number) => void
}

/** Times at which an admission batch was sent, committed and flushed to disk. */
export type BatchTimes = { readonly size: number; readonly sent: number; readonly committed: number; readonly onDisk: number }

/** Background work: a job or a webhook delivery. `fault` is the name of the error; null if the work succeeded. */
export type Work = {
  readonly name: string
  readonly isOutgoing: boolean
  readonly begun: number
  readonly ended: number
  /** Attributes of the span. Names and numbers only: no caller input, addresses or secrets. */
  readonly facts: Readonly<Record<string, string | number>>
  readonly fault: string | null
}

/** Records traces. Never throws and never waits. */
export type Tracer = {
  /** Starts the trace of a call; null if it is not sampled. `traceparent` is the caller's header. */
  call: (traceparent: string | string[] | undefined, begun: number) => CallTrace | null
  batch: (calls: readonly CallTrace[], times: BatchTimes) => void
  work: (work: Work) => void
}

/** Tracer of this process; null unless tracing is enabled, so that checking for null is the only cost when it is off. */
export const tracing: { tracer: Tracer | null } = { tracer: null }
