/** The endpoint of a call, as far as figures tell them apart. */
export type CalledEndpoint = { readonly no: number; readonly id: string; readonly method: string; readonly path: string }

/** What is known of a call that has been answered. */
export type EndedCall = {
  readonly begun: number
  /** Step, moment, step, moment …, each moment the end of its step; null: the steps of this call were not timed. */
  readonly marks: readonly number[] | null
  readonly mode: number
  readonly credits: number
  /** Null: its path leads nowhere. */
  readonly endpoint: CalledEndpoint | null
  readonly requestId: string
  readonly status: number
  /** Number of the error in the log; 0: none. */
  readonly error: number
  /** Path under the version, with its query. */
  readonly target: string
}

/** A call that is traced. Times are those of `performance.now()`. */
export type CallTrace = {
  /** Called once, when its answer has been handed over. */
  end: (call: EndedCall, endedAt: number) => void
}

/** What happened to a batch of the admission path: when it was sent, committed, and on disk. */
export type BatchTimes = { readonly size: number; readonly sent: number; readonly committed: number; readonly onDisk: number }

/** Something that was done beside the calls: a job, a delivery. `fault` is a word of ours for what went wrong, or null. */
export type Work = {
  readonly name: string
  readonly isOutgoing: boolean
  readonly begun: number
  readonly ended: number
  /** Names and numbers only: nothing that a caller wrote, no address, no secret. */
  readonly facts: Readonly<Record<string, string | number>>
  readonly fault: string | null
}

/** Takes down what is traced. It never throws and never waits. */
export type Tracer = {
  /** Null: this call is not one of the sample. `traceparent` is the header of the caller. */
  call: (traceparent: string | string[] | undefined, begun: number) => CallTrace | null
  batch: (calls: readonly CallTrace[], times: BatchTimes) => void
  work: (work: Work) => void
}

/** The tracer of this process; null unless traces were asked for, and then this look is all that they cost. */
export const tracing: { tracer: Tracer | null } = { tracer: null }
