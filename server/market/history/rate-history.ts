import type { ProductType } from '#server/api/contract/account-types.ts'
import { daysBefore } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Db } from '#server/db/prisma.ts'
import { halfUp } from '../figures/category-figures.ts'
import { logoPath } from '../images.ts'
import { Interner, toPlain } from '../market-rows.ts'
import type { Dataset, Plain } from '../product.ts'
import type { ChangeKey, Direction, PageOfChanges, RateChange, RatePeriod, TrendWindow } from './rate-change.ts'
import { type RateMoves, readPeriods, readRateMoves } from './rate-history.sql.ts'

/** Rates of a group of products on a day, in basis points. */
export type TrendPoint = { readonly date: string; readonly bestBp: number; readonly averageBp: number; readonly medianBp: number }

/** Number of products in a group, by rate. */
class Rates {
  readonly #counts = new Map<number, number>()

  move({ rateBp, count }: Pick<RateMoves, 'rateBp' | 'count'>): void {
    const now = (this.#counts.get(rateBp) ?? 0) + count
    if (now === 0) this.#counts.delete(rateBp)
    else this.#counts.set(rateBp, now)
  }

  /** Returns the best, average and median rate, rounded half up; undefined if the group is empty. */
  figures(): Omit<TrendPoint, 'date'> | undefined {
    const paid = [...this.#counts].sort(([a], [b]) => a - b)
    const best = paid.at(-1)
    if (best === undefined) return undefined
    const total = paid.reduce((sum, [, count]) => sum + count, 0)
    const sum = paid.reduce((running, [rateBp, count]) => running + rateBp * count, 0)
    return { bestBp: best[0], averageBp: halfUp(sum, total), medianBp: toMedian(paid, total) }
  }
}

/** Returns the median rate; the mean of the middle two for an even count. */
function toMedian(paid: readonly (readonly [rateBp: number, count: number])[], total: number): number {
  const at = (place: number) => {
    let seen = 0
    return paid.find(([, count]) => {
      seen += count
      return seen > place
    })?.[0]
  }
  return halfUp((at(Math.floor((total - 1) / 2)) ?? 0) + (at(Math.floor(total / 2)) ?? 0), 2)
}

/** Returns the trend of one group, with one point per step, oldest first. Steps without products are omitted. */
function toTrend(moves: readonly RateMoves[], { to, stepDays, steps }: { to: string; stepDays: number; steps: number }): TrendPoint[] {
  const byStep = Map.groupBy(moves, ({ step }) => step)
  const rates = new Rates()
  return Array.from({ length: steps + 1 }, (_, index) => steps - index).flatMap((step) => {
    for (const move of byStep.get(step) ?? []) rates.move(move)
    const figures = rates.figures()
    return figures ? [{ date: daysBefore(to, step * stepDays), ...figures }] : []
  })
}

export type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean }

/** Trend of the products of one type. */
export type TypeTrend = { readonly accountType: ProductType; readonly points: readonly TrendPoint[] }

type ProviderOfChange = Pick<Prisma.ProviderModel, 'name' | 'colour' | 'active'>

/** Reads the providers of rate changes, whether active or not. Returns them by slug. */
async function readProviders(db: Db, dataset: Dataset, rows: readonly { readonly providerSlug: string }[]): Promise<ReadonlyMap<string, ProviderOfChange>> {
  const slugs = [...new Set(rows.map(({ providerSlug }) => providerSlug))]
  const select = { slug: true, name: true, colour: true, active: true } as const
  const providers = await db.provider.findMany({ where: { dataset, slug: { in: slugs } }, take: slugs.length, select })
  return new Map(providers.map((provider) => [provider.slug, provider]))
}

/** Provider name and logo path for a rate change. If the provider no longer exists, the name is its slug. */
function getProvider(dataset: Dataset, slug: string, provider: ProviderOfChange | undefined) {
  return { provider: provider?.name ?? slug, providerLogoPath: provider?.active && provider.colour !== null ? logoPath(dataset, slug) : null }
}

/** Columns of a rate change that the API returns. */
export const changeFields = {
  ...({ seq: true, sourceKey: true, providerSlug: true, accountName: true, accountType: true, effectiveDate: true, direction: true } as const),
  ...({ previousRateBp: true, rateBp: true, previousEffectiveDate: true, detectedAt: true } as const),
}

export type ChangeRow = Plain<Prisma.RateChangeGetPayload<{ select: typeof changeFields }>>

export function toChange(dataset: Dataset, row: ChangeRow, provider: ProviderOfChange | undefined): RateChange {
  return { ...row, ...getProvider(dataset, row.providerSlug, provider), accountType: row.accountType as ProductType, direction: row.direction as Direction }
}

/** Matches the rows after a key, newest first. The first condition bounds the index scan. */
function isAfter({ effectiveDate, seq }: ChangeKey): Prisma.RateChangeWhereInput {
  const date = new Date(effectiveDate)
  return { effectiveDate: { lte: date }, OR: [{ effectiveDate: { lt: date } }, { seq: { lt: seq } }] }
}

async function readChanges(db: Db, dataset: Dataset, { filter, after, limit }: PageOfChanges): Promise<RateChange[]> {
  const { type, provider, sourceKey, from, to } = filter
  const where: Prisma.RateChangeWhereInput = {
    dataset,
    ...(type === undefined ? {} : { accountType: type }),
    ...(provider === undefined ? {} : { providerSlug: provider }),
    ...(sourceKey === undefined ? {} : { sourceKey }),
    AND: [
      ...(from === undefined ? [] : [{ effectiveDate: { gte: new Date(from) } }]),
      ...(to === undefined ? [] : [{ effectiveDate: { lte: new Date(to) } }]),
      ...(after === null ? [] : [isAfter(after)]),
    ],
  }
  const rows = await db.rateChange.findMany({ where, orderBy: [{ effectiveDate: 'desc' }, { seq: 'desc' }], take: limit, select: changeFields })
  const providers = await readProviders(db, dataset, rows)
  const interner = new Interner()
  return rows.map((row) => toChange(dataset, toPlain(row, interner), providers.get(row.providerSlug)))
}

async function readRatePeriods(db: Db, dataset: Dataset, page: PageOfChanges): Promise<RatePeriod[]> {
  const rows = await readPeriods(db, dataset, page)
  const providers = await readProviders(db, dataset, rows)
  return rows.map((row) => ({ ...row, ...getProvider(dataset, row.providerSlug, providers.get(row.providerSlug)) }))
}

/** Raises the limit by one row, to detect whether more rows follow. */
const oneMore = (page: PageOfChanges): PageOfChanges => ({ ...page, limit: page.limit + 1 })

function cut<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/** Runs a read against a database that is at least as recent as the market view. */
export type Reads = <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>

async function trends(read: Reads, dataset: Dataset, window: TrendWindow): Promise<TypeTrend[]> {
  const moves = await read((db) => readRateMoves(db, dataset, window))
  const byType = [...Map.groupBy(moves, ({ accountType }) => accountType)]
  return byType.sort(([a], [b]) => (a < b ? -1 : 1)).map(([accountType, own]) => ({ accountType, points: toTrend(own, window) }))
}

/**
 * Returns functions that read the rate changes of a dataset, newest first. They read from the database on demand, because history is unbounded; each page is a
 * short index scan. The data may be newer than the market view; the request pipeline detects this before it responds.
 */
export const rateHistory = (read: Reads, dataset: Dataset) => ({
  changes: async (page: PageOfChanges) => cut(await read((db) => readChanges(db, dataset, oneMore(page))), page.limit),
  /** Base rates and bonuses with their start and end dates. */
  periods: async (page: PageOfChanges) => cut(await read((db) => readRatePeriods(db, dataset, oneMore(page))), page.limit),
  /** Best, average and median rate per step, for each account type in alphabetical order. */
  trends: (window: TrendWindow) => trends(read, dataset, window),
})

export type RateHistory = ReturnType<typeof rateHistory>

/** Empty history, for views created without a database. */
export const noHistory: RateHistory = {
  changes: async () => ({ rows: [], more: false }),
  periods: async () => ({ rows: [], more: false }),
  trends: async () => [],
}
