import { admissions } from '#server/observability/telemetry/counters.ts'
import type { CallTrace } from '#server/observability/telemetry/tracer.ts'
import type { AdmissionRequest, Outcome } from './batch.ts'

/** Request that is waiting for its outcome. `answer` is called exactly once, with null if the request failed and is not charged. */
export type PendingRequest = {
  /** Changes only when the account's shard becomes known. */
  request: AdmissionRequest
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

/** Fails a request that has waited for the maximum time. */
export function timeOut(pending: PendingRequest): void {
  if (!pending.answered) admissions.late++
  answerRequest(pending, null)
}

/**
 * Returns true if the batch already contains a request with the same cap but another key. The statement reads spending once per batch, so it would miss what
 * the other key spends.
 */
function sharesCapWithOther(spenders: Map<number, number>, { capId, keyId }: AdmissionRequest): boolean {
  if (capId === null) return false
  const spender = spenders.get(capId)
  if (spender === undefined) spenders.set(capId, keyId)
  return spender !== undefined && spender !== keyId
}

/**
 * Takes the next batch from the queue, in order of arrival: up to `max` requests for one service version and shard. If several keys share a cap, takes requests from only
 * one of them. Requests that belong in another batch stay at the front of the queue and don't delay anything else. Drops requests that have already been answered.
 */
export function takeBatch(queue: readonly PendingRequest[], max: number): { readonly batch: PendingRequest[]; readonly rest: PendingRequest[] } {
  const version = queue[0]?.request.serviceVersion
  const shard = queue[0]?.request.shard
  const spenders = new Map<number, number>()
  const batch: PendingRequest[] = []
  const later: PendingRequest[] = []
  let at = 0
  for (; batch.length < max; at++) {
    const pending = queue[at]
    if (pending === undefined || pending.request.serviceVersion !== version) break
    if (pending.answered) continue
    if (pending.request.shard !== shard || sharesCapWithOther(spenders, pending.request)) later.push(pending)
    else batch.push(pending)
  }
  const rest = queue.slice(at)
  return { batch, rest: later.length === 0 ? rest : later.concat(rest) }
}
