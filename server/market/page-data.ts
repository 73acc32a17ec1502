import type { ProductType } from '#server/api/contract/account-types.ts'
import { isoDay } from '#server/api/contract/dates.ts'
import type { Database } from '#server/db/prisma.ts'
import { logoPath } from './images.ts'
import { toPlain, toProduct, toProvider } from './market-rows.ts'
import type { Dataset } from './product.ts'
import type { Provider } from './provider.ts'
import { londonDay } from './sources/calendar.ts'

/** Rates that apply from `date`, in basis points. `rateBp` is null if the product was withdrawn. */
type RateStep = { readonly date: string; readonly rateBp: number | null; readonly baseRateBp: number; readonly boostRateBp: number }

/** True if a string can be a key or slug. Other strings come from made-up URLs and cause no query. */
const isKey = (text: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/.test(text)

/** Returns a product that only exists in history, because it was withdrawn before the dataset stored products. `rateBp` is its last rate. */
async function fromHistory(db: Database, dataset: Dataset, sourceKey: string) {
  const last = await db.rateChange.findFirst({ where: { dataset, sourceKey }, orderBy: [{ effectiveDate: 'desc' }, { seq: 'desc' }] })
  if (!last) return null
  const { providerSlug, accountName, accountType } = last
  const provider = await db.provider.findUnique({ where: { dataset_slug: { dataset, slug: providerSlug } }, select: { name: true, colour: true } })
  const providerLogoPath = provider === null || provider.colour === null ? null : logoPath(dataset, providerSlug)
  const shown = { provider: provider?.name ?? providerSlug, providerSlug, providerLogoPath, accountName, accountType: accountType as ProductType }
  return { sketch: { sourceKey, ...shown, rateBp: last.rateBp ?? last.previousRateBp ?? 0 }, product: null, withdrawnOn: isoDay(last.effectiveDate) }
}

/**
 * Returns a product that is no longer listed, and the date of its withdrawal (UK time). `sketch` is available for every product that ever existed; `product` is
 * null if it only exists in the rate history.
 */
async function formerProduct(db: Database, dataset: Dataset, sourceKey: string) {
  if (!isKey(sourceKey)) return null
  const found = await db.product.findUnique({ where: { dataset_sourceKey: { dataset, sourceKey } }, include: { provider: true } })
  if (!found) return fromHistory(db, dataset, sourceKey)
  const { provider, withdrawnAt, dataset: _, ...row } = found
  if (withdrawnAt === null && provider.active) return null
  const withdrawnOn = londonDay((withdrawnAt ?? provider.updatedAt).getTime())
  const product = toProduct(toPlain(row), toProvider(toPlain(provider)), null)
  return { sketch: product, product, withdrawnOn }
}

async function formerProvider(db: Database, dataset: Dataset, slug: string): Promise<Provider | null> {
  if (!isKey(slug)) return null
  const found = await db.provider.findUnique({ where: { dataset_slug: { dataset, slug }, active: false } })
  return found && toProvider(toPlain(found))
}

/** Returns the same date one year earlier; 28 February for 29 February. */
function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? before.replace('-02-29', '-02-28') : before
}

/** Maximum steps read. Even a rate that changes on every working day has fewer in a year. */
const maxSteps = 300

const isSameRate = (step: RateStep, before: RateStep | undefined): boolean =>
  before !== undefined && step.rateBp === before.rateBp && step.baseRateBp === before.baseRateBp && step.boostRateBp === before.boostRateBp

/**
 * Reads the rates of the last twelve months, oldest first. The first step is the rate that applied on `from`. Dates are ISO dates in UK time. If a rate changed
 * several times on one day, only the last change of that day is returned. A day on which the rate changed back, as after a correction, is left out.
 */
async function readRateHistory(db: Database, dataset: Dataset, sourceKey: string, today: string) {
  const from = yearBefore(today)
  const select = { effectiveDate: true, rateBp: true, baseRateBp: true, boostRateBp: true } as const
  const orderBy = [{ effectiveDate: 'desc' }, { seq: 'desc' }] as const
  const [later, first] = await Promise.all([
    db.rateChange.findMany({ where: { dataset, sourceKey, effectiveDate: { gt: new Date(from) } }, orderBy: [...orderBy], take: maxSteps, select }),
    db.rateChange.findFirst({ where: { dataset, sourceKey, effectiveDate: { lte: new Date(from) } }, orderBy: [...orderBy], select }),
  ])
  const steps = new Map<string, RateStep>()
  for (const { effectiveDate, rateBp, baseRateBp, boostRateBp } of [...later, ...(first ? [first] : [])].reverse()) {
    const date = isoDay(effectiveDate)
    steps.set(date, { date, rateBp, baseRateBp: baseRateBp ?? 0, boostRateBp: boostRateBp ?? 0 })
  }
  return { from, to: today, steps: [...steps.values()].filter((step, index, all) => !isSameRate(step, all[index - 1])) }
}

/** Counts the recorded rate changes of a dataset. `since` is the date of the first one. Returns null if there are none. */
async function readHistorySpan(db: Database, dataset: Dataset) {
  const { _min: first, _count: changes } = await db.rateChange.aggregate({ where: { dataset }, _min: { effectiveDate: true }, _count: true })
  return first.effectiveDate === null ? null : { since: isoDay(first.effectiveDate), changes }
}

/** Returns functions that read data that web pages need but the snapshot doesn't contain. Each runs a few short database queries at most. */
export const pageData = (db: Database, now: () => number) => ({
  /** Returns a product that is no longer listed; null if it is listed or never existed. */
  formerProduct: (dataset: Dataset, sourceKey: string) => formerProduct(db, dataset, sourceKey),
  /** Returns an inactive provider; null if it is active or never existed. */
  formerProvider: (dataset: Dataset, slug: string) => formerProvider(db, dataset, slug),
  rateHistory: (dataset: Dataset, sourceKey: string) => readRateHistory(db, dataset, sourceKey, londonDay(now())),
  historySpan: (dataset: Dataset) => readHistorySpan(db, dataset),
})
