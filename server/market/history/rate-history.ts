import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Reader } from '#server/db/replica.ts'
import type { Dataset } from '../dataset.ts'
import { logoPath } from '../logo.ts'
import type { RateChange, RatePeriod } from './rate-change.ts'
import { type ChangeRow, type PageOfChanges, type PeriodRow, readChanges, readPeriods, readRateMoves, type TrendWindow } from './rate-changes.store.ts'
import { type TrendPoint, toTrend } from './trend.ts'

export type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean }

/** Trend of the products of one type. */
export type TypeTrend = { readonly accountType: ProductType; readonly points: readonly TrendPoint[] }

/**
 * Rate changes of a dataset, newest first. Read from the database on demand, because history is unbounded; each page is a short index scan. The
 * data may be newer than the view, but the request pipeline detects that before responding.
 */
export type RateHistory = {
  readonly changes: (page: PageOfChanges) => Promise<Page<RateChange>>
  /** Base rates and bonuses with their start and end dates. */
  readonly periods: (page: PageOfChanges) => Promise<Page<RatePeriod>>
  /** Best, average and median rate per step, by type in alphabetical order. */
  readonly trends: (window: TrendWindow) => Promise<TypeTrend[]>
}

function getSubject(dataset: Dataset, row: ChangeRow | PeriodRow) {
  return {
    seq: Number(row.seq),
    sourceKey: row.source_key,
    provider: row.provider ?? row.provider_slug,
    providerSlug: row.provider_slug,
    providerLogoPath: row.colour === null ? null : logoPath(dataset, row.provider_slug),
    accountName: row.account_name,
    accountType: row.account_type,
    effectiveDate: row.effective_date,
  }
}

export function changeFromDb(dataset: Dataset, row: ChangeRow): RateChange {
  return {
    ...getSubject(dataset, row),
    direction: row.direction,
    previousRateBp: row.previous_rate_bp,
    rateBp: row.rate_bp,
    previousEffectiveDate: row.previous_effective_date,
    detectedAt: row.detected_at,
  }
}

function periodFromDb(dataset: Dataset, row: PeriodRow): RatePeriod {
  return {
    ...getSubject(dataset, row),
    effectiveTo: row.effective_to,
    rateBp: row.rate_bp,
    baseRateBp: row.base_rate_bp,
    boostRateBp: row.boost_rate_bp,
    boostDuration: row.boost_duration,
  }
}

/** Reads one extra row to detect whether more follow. */
const oneMore = (page: PageOfChanges): PageOfChanges => ({ ...page, limit: page.limit + 1 })

function cut<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/** Runs a read against a database that is at least as recent as the view. */
export type Reads = <Result>(read: (db: Reader) => Promise<Result>) => Promise<Result>

async function trends(read: Reads, dataset: Dataset, window: TrendWindow): Promise<TypeTrend[]> {
  const moves = await read((db) => readRateMoves(db, dataset, window))
  const byType = [...Map.groupBy(moves, ({ accountType }) => accountType)]
  return byType.sort(([a], [b]) => (a < b ? -1 : 1)).map(([accountType, own]) => ({ accountType, points: toTrend(own, window) }))
}

/** Creates the history of a dataset. */
export function rateHistory(read: Reads, dataset: Dataset): RateHistory {
  return {
    changes: async (page) => {
      const rows = await read((db) => readChanges(db, dataset, oneMore(page)))
      return cut(
        rows.map((row) => changeFromDb(dataset, row)),
        page.limit,
      )
    },
    periods: async (page) => {
      const rows = await read((db) => readPeriods(db, dataset, oneMore(page)))
      return cut(
        rows.map((row) => periodFromDb(dataset, row)),
        page.limit,
      )
    },
    trends: (window) => trends(read, dataset, window),
  }
}

/** Empty history, for views created without a database. */
export const noHistory: RateHistory = {
  changes: async () => ({ rows: [], more: false }),
  periods: async () => ({ rows: [], more: false }),
  trends: async () => [],
}
