import { type EventType, isOfAccount, sampleAccountEvent } from '#server/api/contract/webhooks.ts'
import { sampleEvent, writeEvent } from '#server/api/endpoints/events/event-data.ts'
import type { Database } from '#server/db/prisma.ts'
import { eventId, type MarketEvent, readEvents } from '#server/market/events/events.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { OutgoingEvent, WrittenData } from '#server/webhooks/webhook-deps.ts'

export type EventNeeds = { readonly pool: Database; readonly publicUrl: string; readonly market: () => Promise<MarketSnapshot>; readonly now: () => number }

function outgoing(event: MarketEvent, written: WrittenData): OutgoingEvent {
  const { seq, dataset, type, providerSlug, accountType, rateChangeBp, createdAt } = event
  return { seq, mode: dataset === 'live' ? 'live' : 'test', id: eventId(seq), type, providerSlug, accountType, rateChangeBp, createdAt, ...written }
}

function writeOnce(row: object): WrittenData {
  const data = JSON.stringify(row)
  return { data, dataWithLogos: data }
}

/** Returns the source of the events that imports have stored: those of the live market for live endpoints, and those of the sample market for test endpoints. */
export function marketEvents({ pool, publicUrl, market }: EventNeeds): EventSource {
  return async (after, limit) => {
    const events = await readEvents(pool, { after, limit })
    const last = events.at(-1)?.seq ?? after
    if (events.length === 0) return { events: [], last }
    const { dataset } = await market()
    return { events: events.map((event) => outgoing(event, writeEvent(event, { market: dataset(event.dataset), publicUrl }))), last }
  }
}

/** Returns a function that builds the data of a test event: a row of the sample market or, for an account event, an example. */
export function sampleEvents({ publicUrl, market, now }: EventNeeds): (type: EventType) => Promise<WrittenData> {
  return async (type) => {
    const at = now()
    if (isOfAccount(type)) return writeOnce(sampleAccountEvent(type, publicUrl, new Date(at).toISOString()))
    return sampleEvent(type, { market: (await market()).dataset('sample'), publicUrl }, at)
  }
}
