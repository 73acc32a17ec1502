import { type EventType, isOfAccount, sampleLowBalance } from '#server/api/contract/webhooks.ts'
import { sampleEvent, writeEvent } from '#server/api/endpoints/events/event-data.ts'
import type { Database } from '#server/db/prisma.ts'
import { eventId, type MarketEvent, readEvents } from '#server/market/events/events.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { OutgoingEvent, WrittenData } from '#server/webhooks/webhook-deps.ts'

export type EventNeeds = { readonly pool: Database; readonly publicUrl: string; readonly market: () => Promise<MarketSnapshot>; readonly now: () => number }

function outgoing(event: MarketEvent, written: WrittenData): OutgoingEvent {
  const { seq, type, providerSlug, accountType, rateChangeBp, createdAt } = event
  return { seq, id: eventId(seq), type, providerSlug, accountType, rateChangeBp, createdAt, ...written }
}

function writeOnce(row: object): WrittenData {
  const data = JSON.stringify(row)
  return { data, dataWithLogos: data }
}

/** Returns the source of the market events that imports have stored. Skips events of the sample market, which changes only with a release. */
export function marketEvents({ pool, publicUrl, market }: EventNeeds): EventSource {
  return async (after, limit) => {
    const events = await readEvents(pool, { after, limit })
    const last = events.at(-1)?.seq ?? after
    const live = events.filter(({ dataset }) => dataset === 'live')
    if (live.length === 0) return { events: [], last }
    const needs = { market: (await market()).dataset('live'), publicUrl }
    return { events: live.map((event) => outgoing(event, writeEvent(event, needs))), last }
  }
}

/** Returns a function that builds the data of a test event: a row of the sample market or, for a low-balance event, an example balance. */
export function sampleEvents({ publicUrl, market, now }: EventNeeds): (type: EventType) => Promise<WrittenData> {
  return async (type) => {
    const at = now()
    if (isOfAccount(type)) return writeOnce(sampleLowBalance(publicUrl, new Date(at).toISOString()))
    return sampleEvent(type, { market: (await market()).dataset('sample'), publicUrl }, at)
  }
}
