import { admissions } from '#server/observability/telemetry/counters.ts'
import type { CallTrace } from '#server/observability/telemetry/tracer.ts'
import type { AdmissionRequest } from './batch.ts'
import type { Outcome } from './outcome.ts'

/** Request waiting for its outcome. Answered exactly once; null means that it failed and is not charged. */
export type PendingRequest = {
  readonly request: AdmissionRequest
  /** Null if the call is not traced. */
  readonly trace: CallTrace | null
  readonly arrived: number
  readonly answer: (outcome: Outcome | null) => void
  answered: boolean
}

export function answerRequest(pending: PendingRequest, outcome: Outcome | null): void {
  if (pending.answered) return
  pending.answered = true
  pending.answer(outcome)
}

/** Answers a request that has waited for the maximum time. */
export function timeOut(pending: PendingRequest): void {
  if (!pending.answered) admissions.late++
  answerRequest(pending, null)
}
