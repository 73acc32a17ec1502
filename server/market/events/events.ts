import { isoDay } from '#server/api/contract/dates.ts'
import { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { RateChange } from '../history/rate-change.ts'
import { type ChangeRow, changeFields, toChange } from '../history/rate-history.ts'
import { fromJson, toOffer, toPlain, toProduct, toProvider } from '../market-rows.ts'
import type { SwitchOffer } from '../offers.ts'
import type { Dataset, Product } from '../product.ts'

type About = {
  /** Sequence number. Consumers continue after the last number that they have processed. */
  readonly seq: number
  readonly dataset: Dataset
  /** Values that webhook filters match; null if not applicable. */
  readonly providerSlug: string | null
  readonly accountType: string | null
  /** Change of the rate in basis points, negative for a cut. */
  readonly rateChangeBp: number | null
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/**
 * Change made by an import, with the row as it was at that time. Serialised by the functions that endpoints use (`toHistoryRow`,
 * `toSavingsProduct`, `toSwitchOffer`), so the payload has the same shape as the rows of those endpoints.
 */
export type MarketEvent = About &
  (
    | { readonly type: 'rate.changed'; readonly change: RateChange }
    | { readonly type: 'product.added'; readonly product: Product }
    | { readonly type: 'product.withdrawn'; readonly product: Product }
    | { readonly type: 'switch_offer.changed'; readonly offer: SwitchOffer; readonly isWithdrawn: boolean }
  )

/** Public event id. Fixed length, so ids sort by sequence number. */
export const eventId = (seq: number): string => `evt_${seq.toString(36).padStart(9, '0')}`

/**
 * Creates the event. `provider` is the current provider of the product or offer. If the provider is inactive, a product gets the provider's name but not the
 * logo, and an offer gets no provider.
 */
function toEvent(row: Prisma.MarketEventModel, provider: Prisma.ProviderModel | undefined, listedSince: string | null): MarketEvent {
  const dataset = row.dataset as Dataset
  const { providerSlug, accountType, rateChangeBp } = row
  const data = row.data as Record<string, unknown>
  const about = { seq: Number(row.seq), dataset, providerSlug, accountType, rateChangeBp, createdAt: row.createdAt.toISOString() }
  const current = provider && toProvider(toPlain(provider))
  const type = row.type as MarketEvent['type']
  switch (type) {
    case 'rate.changed':
      return { ...about, type, change: toChange(dataset, fromJson<ChangeRow>(changeFields, data), provider) }
    case 'product.added':
    case 'product.withdrawn': {
      if (!current) throw new Error(`Event ${row.seq} has an unknown provider.`)
      const shown = provider?.active ? current : { ...current, logoPath: null }
      const { dataset: _, withdrawnAt: __, ...fields } = Prisma.ProductScalarFieldEnum
      return { ...about, type, product: toProduct(fromJson(fields, data), shown, listedSince) }
    }
    case 'switch_offer.changed': {
      const offer = fromJson<Prisma.SwitchOfferModel>(Prisma.SwitchOfferScalarFieldEnum, data)
      return { ...about, type, offer: toOffer<SwitchOffer>(offer, provider?.active ? current : undefined), isWithdrawn: offer.withdrawnAt !== null }
    }
  }
}

/** Returns the first day of the listing that a launch began or a withdrawal ended; null for other events. */
async function readListedSince(db: Database, { dataset, type, subjectKey: sourceKey, rateChangeSeq }: Prisma.MarketEventModel): Promise<string | null> {
  if (rateChangeSeq === null || (type !== 'product.added' && type !== 'product.withdrawn')) return null
  const launch = await db.rateChange.findFirst({
    where: { dataset, sourceKey, direction: 'launched', seq: { lte: rateChangeSeq } },
    orderBy: [{ effectiveDate: 'desc' }, { seq: 'desc' }],
    select: { effectiveDate: true },
  })
  return launch && isoDay(launch.effectiveDate)
}

/**
 * Reads up to `limit` events with a sequence number above `after`, in ascending order. A caller that continues after the last event misses none: imports hold a
 * lock until they commit, so sequence numbers become visible in order.
 */
export async function readEvents(db: Database, { after, limit }: { readonly after: number; readonly limit: number }): Promise<MarketEvent[]> {
  const rows = await db.marketEvent.findMany({ where: { seq: { gt: after } }, orderBy: { seq: 'asc' }, take: limit })
  const slugs = [...new Set(rows.flatMap(({ providerSlug }) => providerSlug ?? []))]
  const providers = await db.provider.findMany({ where: { slug: { in: slugs } }, take: 2 * slugs.length })
  const known = new Map(providers.map((provider) => [`${provider.dataset} ${provider.slug}`, provider]))
  const events: MarketEvent[] = []
  for (const row of rows) events.push(toEvent(row, known.get(`${row.dataset} ${row.providerSlug}`), await readListedSince(db, row)))
  return events
}
