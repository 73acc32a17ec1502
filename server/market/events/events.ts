import type { Database } from '#server/db/prisma.ts'
import { changeFromDb } from '../history/rate-history.ts'
import { switchOfferFromDb } from '../offer-from-db.ts'
import type { Provider } from '../provider.ts'
import { productFromDb, providerFromDb } from '../provider-from-db.ts'
import { type EventRow, type EventRows, readEventRows } from './events.store.ts'
import type { MarketEvent } from './market-event.ts'

const aboutFromDb = (row: EventRow) => ({
  seq: Number(row.seq),
  dataset: row.dataset,
  providerSlug: row.provider_slug,
  accountType: row.account_type,
  rateChangeBp: row.rate_change_bp,
  createdAt: row.created_at,
})

const byEvent = <Row extends { event: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.event, row]))

/** Returns functions that find the current provider of an event. If it is inactive, a product gets its name but not its logo, and an offer gets no provider. */
function getProviders(rows: EventRows['providers']) {
  const known = new Map(rows.map((row) => [`${row.dataset} ${row.slug}`, { isActive: row.active, provider: providerFromDb(row) }]))
  const of = ({ dataset, provider_slug: slug }: EventRow) => known.get(`${dataset} ${slug}`)
  return {
    ofProduct: (row: EventRow): Provider | undefined => {
      const found = of(row)
      return found && (found.isActive ? found.provider : { ...found.provider, logoPath: null })
    },
    ofOffer: (row: EventRow): Provider | undefined => (of(row)?.isActive ? of(row)?.provider : undefined),
  }
}

function missingPayload(row: EventRow): Error {
  return new Error(`Event ${row.seq} has no ${row.type} payload.`)
}

function eventFromDb(row: EventRow, payloads: ReturnType<typeof indexPayloads>): MarketEvent {
  const about = aboutFromDb(row)
  switch (row.type) {
    case 'rate.changed': {
      const change = payloads.changes.get(row.seq)
      if (!change) throw missingPayload(row)
      return { ...about, type: row.type, change: changeFromDb(row.dataset, change) }
    }
    case 'product.added':
    case 'product.withdrawn': {
      const product = payloads.products.get(row.seq)
      const provider = payloads.providers.ofProduct(row)
      if (!product || !provider) throw missingPayload(row)
      return { ...about, type: row.type, product: productFromDb(product, provider) }
    }
    case 'switch_offer.changed': {
      const offer = payloads.offers.get(row.seq)
      if (!offer) throw missingPayload(row)
      return { ...about, type: row.type, offer: switchOfferFromDb(offer, payloads.providers.ofOffer(row)), isWithdrawn: row.is_withdrawn }
    }
  }
}

const indexPayloads = (rows: EventRows) => ({
  changes: byEvent(rows.changes),
  products: byEvent(rows.products),
  offers: byEvent(rows.offers),
  providers: getProviders(rows.providers),
})

/** Reads at most `limit` events whose number is above `after`, in order. A caller that continues after the last event misses none. */
export async function readEvents(pool: Database, { after, limit }: { readonly after: number; readonly limit: number }): Promise<MarketEvent[]> {
  const rows = await readEventRows(pool, after, limit)
  const payloads = indexPayloads(rows)
  return rows.events.map((row) => eventFromDb(row, payloads))
}
