import { admissions } from '#server/observability/telemetry/admissions.ts'
import type { CallTrace } from '#server/observability/telemetry/tracer.ts'
import type { AdmissionRequest } from './batch.ts'
import type { Outcome } from './outcome.ts'

/** A request on its way through the statement. It is answered exactly once; null means that it failed and is not charged. */
export type Ticket = {
  readonly request: AdmissionRequest
  /** Null: the call is not traced. */
  readonly trace: CallTrace | null
  readonly arrived: number
  readonly answer: (outcome: Outcome | null) => void
  answered: boolean
}

export function answerTicket(ticket: Ticket, outcome: Outcome | null): void {
  if (ticket.answered) return
  ticket.answered = true
  ticket.answer(outcome)
}

/** Its caller has waited as long as anybody waits. */
export function answerTooLate(ticket: Ticket): void {
  if (!ticket.answered) admissions.late++
  answerTicket(ticket, null)
}
