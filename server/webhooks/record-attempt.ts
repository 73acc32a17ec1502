import { type DeliveryOutcome, deliveries } from '#server/observability/telemetry/counters.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'
import type { ClaimedRow, OutcomeRow } from './queue.store.ts'

function getOutcome({ isDelivered, isGone, waitMs }: Pick<OutcomeRow, 'isDelivered' | 'isGone' | 'waitMs'>): DeliveryOutcome {
  if (isDelivered) return 'delivered'
  if (isGone) return 'gone'
  return waitMs === null ? 'dead' : 'retry'
}

/** Records metrics and a trace span of an attempt, without its destination or content. */
export function recordAttempt(row: ClaimedRow, outcome: Pick<OutcomeRow, 'isDelivered' | 'isGone' | 'waitMs' | 'attempt' | 'status'>, begun: number): void {
  const ended = performance.now()
  const name = getOutcome(outcome)
  deliveries.add(name, ended - begun)
  tracing.tracer?.work({
    name: 'webhook.deliver',
    isOutgoing: true,
    begun,
    ended,
    facts: {
      'http.request.method': 'POST',
      ...(outcome.status === null ? {} : { 'http.response.status_code': outcome.status }),
      'svc.webhook.event': row.type,
      'svc.webhook.delivery': row.delivery_public_id,
      'svc.webhook.attempt': outcome.attempt,
      'svc.webhook.outcome': name,
    },
    fault: name === 'delivered' ? null : name,
  })
}
