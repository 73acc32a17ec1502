import type { Database } from '#server/db/prisma.ts'
import { logoPath } from './images.ts'
import { readFormerProduct, readLastChange, readProvider, readRateSteps } from './page-data.store.ts'
import type { Dataset, Product } from './product.ts'
import type { Provider } from './provider.ts'
import { productFromDb, providerFromDb } from './provider-from-db.ts'
import { londonDay } from './sources/calendar.ts'

/** Data available for every product that ever existed: provider, name and last rate. */
export type ProductSketch = Pick<Product, 'sourceKey' | 'provider' | 'providerSlug' | 'providerLogoPath' | 'accountName' | 'accountType' | 'rateBp'>

/** Product that is no longer listed, and the date of its withdrawal (UK time). `product` is null if it only exists in the rate history. */
export type FormerProduct = { readonly sketch: ProductSketch; readonly product: Product | null; readonly withdrawnOn: string }

/** Rates from a given day on, in basis points. `rateBp` is null from a withdrawal on. */
export type RateStep = { readonly date: string; readonly rateBp: number | null; readonly baseRateBp: number; readonly boostRateBp: number }

/** Rates of the last twelve months, oldest first. The first step is the rate that applied on `from`. Dates are ISO dates in UK time. */
export type RateHistory = { readonly from: string; readonly to: string; readonly steps: readonly RateStep[] }

/** Reads data for web pages that isn't in the snapshot. Each function runs a few short database queries at most. */
export type PageData = {
  /** Returns a product that is no longer listed; null if it is listed or never existed. */
  readonly formerProduct: (dataset: Dataset, sourceKey: string) => Promise<FormerProduct | null>
  /** Returns an inactive provider; null if it is active or never existed. */
  readonly formerProvider: (dataset: Dataset, slug: string) => Promise<Provider | null>
  readonly rateHistory: (dataset: Dataset, sourceKey: string) => Promise<RateHistory>
}

/** True if a string can be a key or slug. Other strings come from invented URLs and cause no query. */
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

/** Returns the same date one year earlier; 28 February for 29 February. */
function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? before.replace('-02-29', '-02-28') : before
}

/** Reads the rates of the last twelve months. If a rate changed several times on one day, only the last change of that day is returned. */
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
