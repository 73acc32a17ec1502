import { eventTypes, isOfAccount } from '#server/api/contract/webhooks.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { OutgoingEvent } from '#server/webhooks/webhook-deps.ts'

const marketEventTypes = eventTypes.filter((type) => !isOfAccount(type))

/** Sequence number of the first generated event, higher than any in the template database. */
export const firstSeq = 1_000_000

const providers = ['harrow', 'brook', 'dale']

/** Returns the nth generated event, the same in every process. */
export function madeEvent(n: number): OutgoingEvent {
  const type = marketEventTypes[n % marketEventTypes.length] ?? 'rate.changed'
  const about = { providerSlug: providers[n % providers.length] ?? null, accountType: 'notice', rateChangeBp: type === 'rate.changed' ? n % 50 : null }
  const written = { data: JSON.stringify({ n }), dataWithLogos: JSON.stringify({ n, logos: true }) }
  return { seq: firstSeq + n, mode: 'live', id: `evt_made_${n}`, type, ...about, ...written, createdAt: '2026-11-21T09:00:00.000Z' }
}

/** Returns an event source with events 1 to `count`. */
export function eventsUpTo(count: number): EventSource {
  return async (after, limit) => {
    const from = Math.max(1, after - firstSeq + 1)
    const numbers = Array.from({ length: Math.max(0, Math.min(limit, count - from + 1)) }, (_, at) => from + at)
    const events = numbers.map(madeEvent)
    return { events, last: events.at(-1)?.seq ?? after }
  }
}
