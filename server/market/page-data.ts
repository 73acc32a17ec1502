import type { Database } from '#server/db/prisma.ts'
import { logoPath } from './images.ts'
import { readFormerProduct, readLastChange, readProvider, readRateSteps } from './page-data.store.ts'
import type { Dataset, Product } from './product.ts'
import type { Provider } from './provider.ts'
import { productFromDb, providerFromDb } from './provider-from-db.ts'
import { londonDay } from './sources/calendar.ts'

/** Data available for every product that ever existed: provider, name and last rate. */
export type ProductSketch = Pick<Product, 'sourceKey' | 'provider' | 'providerSlug' | 'providerLogoPath' | 'accountName' | 'accountType' | 'rateBp'>

/** Delisted product and its last day in London. `product` is null if it only exists in history. */
export type FormerProduct = { readonly sketch: ProductSketch; readonly product: Product | null; readonly withdrawnOn: string }

/** Rate from a given day, in hundredths of a percent; null after a withdrawal. */
export type RateStep = { readonly date: string; readonly rateBp: number | null; readonly baseRateBp: number; readonly boostRateBp: number }

/** Rates of the last twelve months, oldest first; the first step is the rate on `from`. ISO dates in London. */
export type RateHistory = { readonly from: string; readonly to: string; readonly steps: readonly RateStep[] }

/** Page data that isn't in the snapshot; each call is one short database query. */
export type PageData = {
  /** Returns a delisted product; null if it is listed or never existed. */
  readonly formerProduct: (dataset: Dataset, sourceKey: string) => Promise<FormerProduct | null>
  /** Returns an inactive provider; null if it is active or never existed. */
  readonly formerProvider: (dataset: Dataset, slug: string) => Promise<Provider | null>
  readonly rateHistory: (dataset: Dataset, sourceKey: string) => Promise<RateHistory>
}

/** Rejects texts that can't be a key or slug, so that invented URLs cause no query. */
const isKey = (text: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/.test(text)

async function fromHistory(pool: Database, dataset: Dataset, sourceKey: string): Promise<FormerProduct | null> {
  const last = await readLastChange(pool, dataset, sourceKey)
  if (!last) return null
  const { provider_slug: providerSlug, provider, colour, account_name: accountName, account_type: accountType, rate_bp: rateBp } = last
  const providerLogoPath = colour === null ? null : logoPath(dataset, providerSlug)
  const sketch = { sourceKey, provider: provider ?? providerSlug, providerSlug, providerLogoPath, accountName, accountType, rateBp }
  return { sketch, product: null, withdrawnOn: last.effective_date }
}

async function formerProduct(pool: Database, dataset: Dataset, sourceKey: string): Promise<FormerProduct | null> {
  if (!isKey(sourceKey)) return null
  const row = await readFormerProduct(pool, dataset, sourceKey)
  const provider = row && (await readProvider(pool, dataset, row.provider_slug))
  if (!(row && provider)) return await fromHistory(pool, dataset, sourceKey)
  const product = productFromDb(row, providerFromDb(provider))
  return { sketch: product, product, withdrawnOn: row.withdrawn_on }
}

async function formerProvider(pool: Database, dataset: Dataset, slug: string): Promise<Provider | null> {
  const row = isKey(slug) ? await readProvider(pool, dataset, slug) : undefined
  return row && !row.active ? providerFromDb(row) : null
}

/** Same date one year earlier; 28 February for 29 February. */
function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? before.replace('-02-29', '-02-28') : before
}

/** Keeps only the last step of each day, because the earlier ones were replaced within the day. */
async function rateHistory(pool: Database, dataset: Dataset, sourceKey: string, today: string): Promise<RateHistory> {
  const from = yearBefore(today)
  const steps = new Map<string, RateStep>()
  for (const { date, rate_bp: rateBp, base_rate_bp, boost_rate_bp } of await readRateSteps(pool, dataset, sourceKey, from)) {
    steps.set(date, { date, rateBp, baseRateBp: base_rate_bp ?? 0, boostRateBp: boost_rate_bp ?? 0 })
  }
  return { from, to: today, steps: [...steps.values()] }
}

export function pageData(pool: Database, now: () => number): PageData {
  return {
    formerProduct: (dataset, sourceKey) => formerProduct(pool, dataset, sourceKey),
    formerProvider: (dataset, slug) => formerProvider(pool, dataset, slug),
    rateHistory: (dataset, sourceKey) => rateHistory(pool, dataset, sourceKey, londonDay(now())),
  }
}
