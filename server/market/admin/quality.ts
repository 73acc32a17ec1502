import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { lastTaxYear } from '../calculators/tax-year.ts'
import { readRateJumps } from '../history/rate-history.sql.ts'
import { fscsBrands, slugsByBrand } from '../reference/fscs.ts'
import { bankRateSeries } from '../sources/boe-iadb.ts'
import { londonDay } from '../sources/calendar.ts'
import { getFreshness } from '../statistics/refresh.ts'
import type { MarketDeps } from './market-deps.ts'

/** The next two constants are the thresholds that flag a rate for manual review, in basis points. The admin page shows them next to the flagged rates. */

/** Margin above Bank Rate beyond which a rate is implausible. Regular savers pay higher teaser rates on small balances. */
const aboveBankRateBp = { regularSaver: 700, other: 300 } as const

/** A rate change of at least this size within this many days is more likely to be a misplaced digit than a real change. */
const suddenMove = { leastBp: 150, days: 7 } as const

/** Maximum number of rows shown for each kind of problem. Any others are only counted. */
const maxShown = 50

/** Returns the current Bank Rate in basis points; null if unknown. */
async function readBankRate(db: Database): Promise<number | null> {
  const found = await db.statistic.findFirst({ where: { series: bankRateSeries, value: { not: null } }, orderBy: { date: 'desc' }, select: { value: true } })
  return found?.value ? Math.round(found.value.times(100).toNumber()) : null
}

/** Products that the API returns. */
const served = { dataset: 'live', withdrawnAt: null, provider: { active: true } } as const satisfies Prisma.ProductWhereInput

/** Matches rates that are too far above Bank Rate. Matches none if Bank Rate is unknown. */
function isHigh(bankRateBp: number | null): Prisma.ProductWhereInput[] {
  if (bankRateBp === null) return []
  return [
    { accountType: 'regular-saver', rateBp: { gt: bankRateBp + aboveBankRateBp.regularSaver } },
    { accountType: { not: 'regular-saver' }, rateBp: { gt: bankRateBp + aboveBankRateBp.other } },
  ]
}

async function readRates(db: Database, found: Prisma.ProductWhereInput) {
  const where = { ...served, ...found }
  const select = { sourceKey: true, accountName: true, accountType: true, rateBp: true, provider: { select: { name: true } } } as const
  const [rows, total] = await Promise.all([
    db.product.findMany({ where, orderBy: [{ rateBp: 'desc' }, { sourceKey: 'asc' }], take: maxShown, select }),
    db.product.count({ where }),
  ])
  return { rows: rows.map(({ provider, ...row }) => ({ ...row, provider: provider.name })), total }
}

async function readWithoutLogo(db: Database) {
  const where = { dataset: 'live', active: true, colour: null } as const
  const [rows, total] = await Promise.all([
    db.provider.findMany({ where, orderBy: { name: 'asc' }, take: maxShown, select: { slug: true, name: true } }),
    db.provider.count({ where }),
  ])
  return { rows, total }
}

async function staleSources({ pool, sources, now }: MarketDeps) {
  const fresh = await getFreshness(pool, sources, now())
  return sources.flatMap(({ source: { name, title, freshDays } }) => {
    const found = fresh.get(name)
    return found?.stale ? [{ name, title, asOf: found.asOf, freshDays }] : []
  })
}

const maxProviders = 10_000

/** Returns brands on the FSCS list that match no provider in the market. */
async function unlinkedBrands(db: Database) {
  const where = { dataset: 'live', active: true } as const
  const slugs = slugsByBrand(await db.provider.findMany({ where, orderBy: { slug: 'asc' }, take: maxProviders, select: { slug: true, name: true } }))
  const rows = fscsBrands.filter(({ brand }) => !slugs.get(brand)).map(({ brand, legalName }) => ({ brand, legalName }))
  return { rows: rows.slice(0, maxShown), total: rows.length }
}

/** Checks the live market for stale, missing and implausible data. Rates are in basis points. */
export async function getQuality(deps: MarketDeps) {
  const { pool: db, now } = deps
  const bankRateBp = await readBankRate(db)
  const [stale, high, zero, jumps, noLogo, unlinked] = await Promise.all([
    staleSources(deps),
    readRates(db, { OR: isHigh(bankRateBp) }),
    readRates(db, { rateBp: 0 }),
    readRateJumps(db, 'live', londonDay(now()), suddenMove),
    readWithoutLogo(db),
    unlinkedBrands(db),
  ])
  const rules = { aboveBankRateBp, suddenMove, bankRateBp }
  const moved = { rows: jumps.slice(0, maxShown), total: jumps.length }
  return { rules, stale, lastTaxYear: lastTaxYear(londonDay(now())), high, zero, moved, noLogo, unlinked }
}

/** Returns the number of implausible rates and the time of the oldest one, for the admin overview. */
export async function qualityFaults(db: Database, now: number): Promise<{ count: number; oldest: Date | null }> {
  const where = { ...served, OR: [{ rateBp: 0 }, ...isHigh(await readBankRate(db))] }
  const { _count: count, _min: first } = await db.product.aggregate({ where, _count: true, _min: { updatedAt: true } })
  const jumps = await readRateJumps(db, 'live', londonDay(now), suddenMove)
  const times = [...(first.updatedAt ? [first.updatedAt] : []), ...jumps.map(({ at }) => at)].sort((a, b) => a.getTime() - b.getTime())
  return { count: count + jumps.length, oldest: times[0] ?? null }
}
