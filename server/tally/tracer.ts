import type { CallRecord } from './calls.ts'

/** A call that is traced. Times are those of `performance.now()`. */
export type CallTrace = {
  /** Called once, when its answer has been handed over. */
  end: (call: CallRecord, endedAt: number) => void
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
