import type { Pool } from 'pg'
import { boeBankRate, boeEffectiveRates, boeQuotedRates, type QuotedSeries, quotedSeries } from '../sources/boe-iadb.ts'
import { daysSince, londonDay } from '../sources/calendar.ts'
import { currencyApi } from '../sources/currency-api.ts'
import { ecbKeyRates } from '../sources/ecb-key-rates.ts'
import { onsCpi } from '../sources/ons-series.ts'
import { sourceNamed } from '../sources/sources.ts'
import { ExchangeRates, type FxDay, type FxHistoryQuery, type FxRate } from './exchange-rates.ts'
import { type Inflation, inflationOf } from './inflation.ts'
import { type BankRate, bankRateOf, type EcbRates, ecbRatesOf, type Origin } from './key-rates.ts'
import { type Point, type RateSeries, seriesByCode, valueOn } from './rate-series.ts'
import { readStatistics, type StatisticsRows } from './statistics.store.ts'

/** Whether the newest value is older than the rhythm of its source explains: somebody should know that it may no longer hold. */
export type Aged<Value> = Value & { readonly stale: boolean }

/** A monthly average rate of the market, oldest month first. */
export type QuotedRate = Origin & QuotedSeries & { readonly series: string; readonly valueBp: number | null; readonly points: readonly Point[] }

const freshDaysOfQuoted = (code: string) => (boeEffectiveRates.series.includes(code) ? boeEffectiveRates : boeQuotedRates).freshDays

function quotedRatesOf(series: ReadonlyMap<string, RateSeries>): QuotedRate[] {
  return Object.entries(quotedSeries).flatMap(([code, about]) => {
    const found = series.get(code)
    return found ? [{ ...found, ...about, series: code, valueBp: found.points.findLast(({ valueBp }) => valueBp !== null)?.valueBp ?? null }] : []
  })
}

/** What callers read as the source: the publisher's name, or what the database says when no source of this release has that name. */
const named = <Value extends { readonly source: string }>(value: Value): Value => ({ ...value, source: sourceNamed(value.source)?.title ?? value.source })

/**
 * Public statistics and rates of exchange at one moment, in memory and never changed. They are the same for test and live keys. Only `stale` and
 * what lies in the future depend on the time at which they are asked for.
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
    this.#bankRate = bankRateOf(this.#series)
    this.#ecbRates = ecbRatesOf(this.#series)
    this.#inflation = inflationOf(this.#series, releases)
    this.#quotedRates = quotedRatesOf(this.#series)
    this.#exchangeRates = new ExchangeRates(fxDays)
  }

  #aged<Value extends Origin>(value: Value | undefined, freshDays: number): Aged<Value> | undefined {
    return value && { ...named(value), stale: this.#isStale(value.asOf, freshDays) }
  }

  #isStale(date: string, freshDays: number): boolean {
    return daysSince(date, this.#now()) > freshDays
  }

  /** Bank Rate and its changes; undefined when the database has none. */
  bankRate(): Aged<BankRate> | undefined {
    return this.#aged(this.#bankRate, boeBankRate.freshDays)
  }

  /** Bank Rate in force on a day, in hundredths of a percent; null for a day that the source has not confirmed. */
  bankRateOn(date: string): number | null {
    const found = this.#series.get(boeBankRate.series[0] ?? '')
    return found && date <= found.asOf ? valueOn(found.points, date) : null
  }

  /** The key rates of the ECB; undefined when the database has none. */
  ecbRates(): Aged<EcbRates> | undefined {
    return this.#aged(this.#ecbRates, ecbKeyRates.freshDays)
  }

  /** CPI, CPIH and RPI; undefined when the database has no CPI. A next release whose day has passed is not known any more. */
  inflation(): Aged<Inflation> | undefined {
    const found = this.#aged(this.#inflation, onsCpi.freshDays)
    if (!found?.nextReleaseOn) return found
    return { ...found, nextReleaseOn: found.nextReleaseOn < londonDay(this.#now()) ? null : found.nextReleaseOn }
  }

  /** Average rates of the market as the Bank of England publishes them. */
  quotedRates(): Aged<QuotedRate>[] {
    return this.#quotedRates.flatMap((rate) => this.#aged(rate, freshDaysOfQuoted(rate.series)) ?? [])
  }

  /** The newest rate of each currency to the pound, by code; of one, when it is named. */
  fxRates(currency?: string): Aged<FxRate>[] {
    return this.#exchangeRates.latest(currency).map((rate) => ({ ...named(rate), stale: this.#isStale(rate.date, currencyApi.freshDays) }))
  }

  /** A page of rates of exchange, newest first, then by code. */
  fxHistory(query: FxHistoryQuery): { rows: FxDay[]; more: boolean } {
    const { rows, more } = this.#exchangeRates.history(query)
    return { rows: rows.map(named), more }
  }
}

/** No statistics at all, for a view that is made without a database. */
export const noStatistics = new Statistics({ statistics: [], fxDays: [], releases: [] }, () => 0)

/**
 * Reads everything. Call it after `market_version` was read, never before: then the statistics are as new as that version or newer, and a later
 * change raises it again. `now` is the service's clock, which this room may not import.
 */
export async function loadStatistics(pool: Pool, now: () => number = Date.now): Promise<Statistics> {
  return new Statistics(await readStatistics(pool), now)
}
