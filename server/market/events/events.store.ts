import type { Database } from '#server/db/prisma.ts'
import { isoTime } from '../decimal.ts'
import { type ChangeRow, changeColumns, ofProvider } from '../history/rate-changes.store.ts'
import { type SwitchOfferRow, switchOfferColumns } from '../offers.store.ts'
import type { Dataset } from '../product.ts'
import { type ProductRow, type ProviderRow, productColumns, providerColumns } from '../snapshot.store.ts'
import type { MarketEvent } from './market-event.ts'

export type EventRow = {
  /** `bigint` as text. */
  seq: string
  dataset: Dataset
  type: MarketEvent['type']
  provider_slug: string | null
  account_type: string | null
  rate_change_bp: number | null
  is_withdrawn: boolean
  created_at: string
}

export type EventRows = {
  events: EventRow[]
  changes: (ChangeRow & { event: string })[]
  products: (ProductRow & { event: string })[]
  offers: (SwitchOfferRow & { event: string })[]
  providers: (ProviderRow & { active: boolean })[]
}

// An event stores its row as JSON; columns added later are null.
const carried = (table: string, alias: string, columns: string, type: string, join = '') =>
  `SELECT e.seq AS event, c.* FROM market_event e CROSS JOIN LATERAL (SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, e.data) ${alias} ${join}) c
   WHERE e.seq = ANY($1::bigint[]) AND e.type ${type}`

const changesSql = carried('rate_change', 'r', changeColumns, `= 'rate.changed'`, ofProvider)
const productsSql = carried('product', 'p', productColumns, `IN ('product.added', 'product.withdrawn')`)
const offersSql = carried('switch_offer', 'o', switchOfferColumns, `= 'switch_offer.changed'`)

/** Reads events after `after`, in order, with their payload rows. There are no gaps, because imports hold a lock until they commit. */
export async function readEventRows(pool: Database, after: number, limit: number): Promise<EventRows> {
  const { rows: events } = await pool.query<EventRow>(
    `SELECT seq, dataset, type, provider_slug, account_type, rate_change_bp, data ->> 'withdrawn_at' IS NOT NULL AS is_withdrawn, ${isoTime('created_at')}
     FROM market_event WHERE seq > $1 ORDER BY market_event.seq LIMIT $2`,
    [after, limit],
  )
  const numbers = [events.map(({ seq }) => seq)]
  const slugs = [...new Set(events.flatMap(({ provider_slug: slug }) => slug ?? []))]
  const [changes, products, offers, providers] = await Promise.all([
    pool.query<ChangeRow & { event: string }>(changesSql, numbers),
    pool.query<ProductRow & { event: string }>(productsSql, numbers),
    pool.query<SwitchOfferRow & { event: string }>(offersSql, numbers),
    pool.query<ProviderRow & { active: boolean }>(`SELECT ${providerColumns}, active FROM provider WHERE slug = ANY($1)`, [slugs]),
  ])
  return { events, changes: changes.rows, products: products.rows, offers: offers.rows, providers: providers.rows }
}
