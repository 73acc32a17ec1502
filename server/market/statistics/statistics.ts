import type { Database } from '#server/db/prisma.ts'
import { inSnapshot } from '#server/db/transaction.ts'
import { toPlain } from '../market-rows.ts'
import { boeBankRate, boeEffectiveRates, boeQuotedRates, type QuotedSeries, quotedSeries } from '../sources/boe-iadb.ts'
import { daysSince, londonDay } from '../sources/calendar.ts'
import { currencyApi } from '../sources/currency-api.ts'
import { ecbKeyRates } from '../sources/ecb-key-rates.ts'
import { onsCpi } from '../sources/ons-series.ts'
import { sourceNamed } from '../sources/sources.ts'
import { ExchangeRates, type FxDay, type FxHistoryQuery, type FxRate, fxHistoryDays } from './exchange-rates.ts'
import { newestRelease, type Release } from './fetches.ts'
import {
  type BankRate,
  type EcbRates,
  type Inflation,
  type Origin,
  type Point,
  type RateSeries,
  type StatisticRow,
  seriesByCode,
  toBankRate,
  toEcbRates,
  toInflation,
  valueOn,
} from './key-rates.ts'
import { type FxDayRow, readFxDays } from './observations.sql.ts'

/** `stale` is true if the newest value is older than the publication schedule allows, so it may be outdated. */
export type Aged<Value> = Value & { readonly stale: boolean }

/** Average market rate published by the Bank of England. `points` has one value per month, oldest first; `valueBp` is the latest known value. */
export type QuotedRate = Origin & QuotedSeries & { readonly series: string; readonly valueBp: number | null; readonly points: readonly Point[] }

const freshDaysOfQuoted = (code: string) => (boeEffectiveRates.series.includes(code) ? boeEffectiveRates : boeQuotedRates).freshDays

function toQuotedRates(series: ReadonlyMap<string, RateSeries>): QuotedRate[] {
  return Object.entries(quotedSeries).flatMap(([code, about]) => {
    const found = series.get(code)
    return found ? [{ ...found, ...about, series: code, valueBp: found.points.findLast(({ valueBp }) => valueBp !== null)?.valueBp ?? null }] : []
  })
}

/** Statistics by series and date, exchange rates newest first. */
type StatisticsRows = { readonly statistics: readonly StatisticRow[]; readonly fxDays: readonly FxDayRow[]; readonly releases: readonly Release[] }

/** Replaces the source name with the publisher's title; keeps the stored name if this release doesn't know the source. */
const named = <Value extends { readonly source: string }>(value: Value): Value => ({ ...value, source: sourceNamed(value.source)?.title ?? value.source })

/**
 * Immutable in-memory public statistics and exchange rates, the same for test and live keys. Only `stale` and future dates depend on the time of
 * the call.
 */
export class Statistics {
  readonly #now: () => number
  readonly #series: ReadonlyMap<string, RateSeries>
  readonly #bankRate: BankRate | undefined
  readonly #ecbRates: EcbRates | undefined
  readonly #inflation: Inflation | undefined
  readonly #quotedRates: readonly QuotedRate[]
  readonly #exchangeRates: ExchangeRates

  constructor({ statistics, fxDays, releases }: StatisticsRows, now: () => number) {
    this.#now = now
    this.#series = seriesByCode(statistics)
    this.#bankRate = toBankRate(this.#series)
    this.#ecbRates = toEcbRates(this.#series)
    this.#inflation = toInflation(this.#series, releases)
    this.#quotedRates = toQuotedRates(this.#series)
    this.#exchangeRates = new ExchangeRates(fxDays)
  }

  #aged<Value extends Origin>(value: Value | undefined, freshDays: number): Aged<Value> | undefined {
    return value && { ...named(value), stale: this.#isStale(value.asOf, freshDays) }
  }

  #isStale(date: string, freshDays: number): boolean {
    return daysSince(date, this.#now()) > freshDays
  }

  /** Bank Rate and its changes; undefined if there is no data. */
  bankRate(): Aged<BankRate> | undefined {
    return this.#aged(this.#bankRate, boeBankRate.freshDays)
  }

  /** Bank Rate in force on a day, in basis points; null for a day that the source hasn't confirmed. */
  bankRateOn(date: string): number | null {
    const found = this.#series.get(boeBankRate.series[0] ?? '')
    return found && date <= found.asOf ? valueOn(found.points, date) : null
  }

  /** ECB key rates; undefined if there is no data. */
  ecbRates(): Aged<EcbRates> | undefined {
    return this.#aged(this.#ecbRates, ecbKeyRates.freshDays)
  }

  /** CPI, CPIH and RPI; undefined without CPI data. The next release date is null if it is in the past. */
  inflation(): Aged<Inflation> | undefined {
    const found = this.#aged(this.#inflation, onsCpi.freshDays)
    if (!found?.nextReleaseOn) return found
    return { ...found, nextReleaseOn: found.nextReleaseOn < londonDay(this.#now()) ? null : found.nextReleaseOn }
  }

  /** Average market rates published by the Bank of England. */
  quotedRates(): Aged<QuotedRate>[] {
    return this.#quotedRates.flatMap((rate) => this.#aged(rate, freshDaysOfQuoted(rate.series)) ?? [])
  }

  /** Latest pound exchange rate of each currency, sorted by code, or of one currency. */
  fxRates(currency?: string): Aged<FxRate>[] {
    return this.#exchangeRates.latest(currency).map((rate) => ({ ...named(rate), stale: this.#isStale(rate.date, currencyApi.freshDays) }))
  }

  /** Returns a page of exchange rates, newest first, then by code. */
  fxHistory(query: FxHistoryQuery): { rows: FxDay[]; more: boolean } {
    const { rows, more } = this.#exchangeRates.history(query)
    return { rows: rows.map(named), more }
  }
}

/** Empty statistics, for views created without a database. */
export const noStatistics = new Statistics({ statistics: [], fxDays: [], releases: [] }, () => 0)

const readTimeoutMs = 5_000

/** Maximum values read. Enough for centuries of the published series. */
const maxValues = 500_000

/**
 * Reads all statistics in one consistent snapshot. Call it after reading `market_version`, never before: the statistics are then at least as new as that
 * version, and a later change bumps it again.
 */
export async function loadStatistics(db: Database, now: () => number = Date.now): Promise<Statistics> {
  const rows = await inSnapshot(db, readTimeoutMs, async (tx) => {
    const values = await tx.statistic.findMany({ orderBy: [{ series: 'asc' }, { date: 'asc' }], take: maxValues })
    const statistics = values.map(({ value, ...row }) => ({ ...toPlain(row), value: value?.toFixed() ?? null }))
    const release = await newestRelease(tx, onsCpi.name)
    return { statistics, fxDays: await readFxDays(tx, fxHistoryDays), releases: release ? [release] : [] }
  })
  return new Statistics(rows, now)
}
