import type { Database } from '#server/db/prisma.ts'
import { lastTaxYear, londonDate } from '../calculators/tax-year.ts'
import { fscsBrands, slugsByBrand } from '../reference/fscs.ts'
import { londonDay } from '../sources/calendar.ts'
import { getFreshness } from '../statistics/refresh.ts'
import type { MarketDeps } from './market-deps.ts'
import {
  aboveBankRateBp,
  countImplausible,
  highRates,
  type MovedRow,
  maxShown,
  type ProviderRow,
  type RateRow,
  readBankRate,
  readProviderNames,
  suddenMove,
  suddenMoves,
  withoutLogo,
  zeroRates,
} from './quality.store.ts'

/** First rows of a list, and the number of all its rows. */
type Some<Row> = { readonly rows: readonly Row[]; readonly total: number }

export type StaleSource = { readonly name: string; readonly title: string; readonly asOf: string | null; readonly freshDays: number }

/** Data quality issues of the live market. Rates in basis points. */
export type Quality = {
  readonly rules: { readonly aboveBankRateBp: typeof aboveBankRateBp; readonly suddenMove: typeof suddenMove; readonly bankRateBp: number | null }
  readonly stale: readonly StaleSource[]
  /** Latest tax year covered by the calculators; null if it has not started yet. */
  readonly lastTaxYear: ReturnType<typeof lastTaxYear>
  readonly high: Some<RateRow>
  readonly zero: Some<RateRow>
  readonly moved: Some<MovedRow>
  readonly noLogo: Some<ProviderRow>
  /** Brands of the FSCS list that match no provider in the market. */
  readonly unlinked: Some<{ readonly brand: string; readonly legalName: string }>
}

const some = <Row extends { total: number }>(rows: readonly Row[]): Some<Row> => ({ rows, total: rows[0]?.total ?? 0 })

async function staleSources({ pool, sources, now }: MarketDeps): Promise<StaleSource[]> {
  const fresh = await getFreshness(pool, sources, now())
  return sources.flatMap(({ source: { name, title, freshDays } }) => {
    const found = fresh.get(name)
    return found?.stale ? [{ name, title, asOf: found.asOf, freshDays }] : []
  })
}

async function unlinkedBrands({ pool }: MarketDeps): Promise<Quality['unlinked']> {
  const slugs = slugsByBrand(await readProviderNames(pool))
  const rows = fscsBrands.filter(({ brand }) => !slugs.get(brand)).map(({ brand, legalName }) => ({ brand, legalName }))
  return { rows: rows.slice(0, maxShown), total: rows.length }
}

/** Checks the live market for stale, missing and implausible data. */
export async function getQuality(deps: MarketDeps): Promise<Quality> {
  const { pool, now } = deps
  const [bankRateBp, stale, high, zero, moved, noLogo, unlinked] = await Promise.all([
    readBankRate(pool),
    staleSources(deps),
    highRates(pool, maxShown),
    zeroRates(pool, maxShown),
    suddenMoves(pool, londonDay(now()), maxShown),
    withoutLogo(pool, maxShown),
    unlinkedBrands(deps),
  ])
  const rules = { aboveBankRateBp, suddenMove, bankRateBp }
  return { rules, stale, lastTaxYear: lastTaxYear(londonDate(now())), high: some(high), zero: some(zero), moved: some(moved), noLogo: some(noLogo), unlinked }
}

/** Counts the implausible rates, with the time of the oldest, for the admin overview. */
export async function qualityFaults(pool: Database, now: number): Promise<{ count: number; oldest: Date | null }> {
  return countImplausible(pool, londonDay(now))
}
