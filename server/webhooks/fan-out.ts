import type { Pool } from 'pg'
import { insertDeliveries, readProgress, skipEvents } from './fan-out.store.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { OutgoingEvent } from './webhook-room.ts'

/** Events behind a place in their order, at most `limit`, and the place of the last one that was looked at; the same place: there are no more. */
export type EventSource = (after: number, limit: number) => Promise<{ readonly events: readonly OutgoingEvent[]; readonly last: number }>

const eventsAtOnce = 200
/** Deliveries that a statement makes at most, or those of one event: it has to end within the time that statements have. */
const deliveriesAtOnce = 20_000

type FanOutOptions = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

const atOnce = (receivers: number) => Math.max(1, Math.min(eventsAtOnce, Math.floor(deliveriesAtOnce / receivers)))

/** Turns events of the market into deliveries, until there are no more. Several processes may do it at once: each event is handed on by one of them. */
export async function fanOut(pool: Pool, source: EventSource, { now = null, signal }: FanOutOptions = {}): Promise<void> {
  while (!signal?.aborted) {
    const { after, receivers } = await readProgress(pool)
    if (receivers === 0) return skipEvents(pool)
    const { events, last } = await source(after, atOnce(receivers))
    if (last === after) return
    await insertDeliveries(pool, now, after, last, events)
  }
}
