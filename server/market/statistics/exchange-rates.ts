import { firstPast } from '../keyset-pager.ts'
import { currencies } from '../reference/currencies.ts'
import { divide, percentChange, readDecimal, writeDecimal } from '../sources/exact-decimal.ts'
import type { FxDayRow } from './observations.sql.ts'

/** Maximum age, in days, of exchange rates that are loaded into memory or stored from a file: about three years. */
export const fxHistoryDays = 1_100

/** Latest rate of a currency: units per pound and pounds per unit, as exact decimal text. */
export type FxRate = FxOrigin & { readonly currency: string; readonly name: string; readonly rate: string; readonly inverseRate: string; readonly date: string }

/** Rate on one day. `changePercent` is the signed change from the currency's previous rate; null if there is no previous rate. */
export type FxDay = FxOrigin & { readonly date: string; readonly currency: string; readonly rate: string; readonly changePercent: string | null }

type FxOrigin = { readonly source: string; readonly licence: string; readonly fetchedAt: string }

/** Sort key of a history row: newest first, then by currency. */
export type FxKey = { readonly date: string; readonly currency: string }

export type FxHistoryQuery = {
  readonly currency?: string | undefined
  /** First and last day, inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after?: FxKey | null | undefined
  readonly limit: number
}

/** Significant digits of `inverseRate`. Enough precision for currencies with many units per pound. */
const inverseDigits = 8

/** Stored rate. The rates of one day from one fetch share the same `origin` object. */
type Row = FxKey & { readonly rate: string; readonly origin: FxOrigin }

const names: ReadonlyMap<string, string> = new Map(currencies.map(({ code, name }) => [code, name]))

const byCode = (a: string, b: string) => (a < b ? -1 : 1)

function invert(rate: string): string {
  const decimal = readDecimal(rate)
  if (!decimal || decimal.units <= 0n) throw new Error(`Invalid exchange rate: "${rate}".`)
  return writeDecimal(divide({ units: 1n, scale: 0 }, decimal, inverseDigits))
}

function changeBetween(older: string | undefined, newer: string): string | null {
  const [from, to] = [readDecimal(older ?? ''), readDecimal(newer)]
  return from && to ? percentChange(from, to) : null
}

function isBehind(row: FxKey, key: FxKey): boolean {
  return row.date === key.date ? row.currency > key.currency : row.date < key.date
}

function rowsOfDay({ date, rates, ...origin }: FxDayRow): Row[] {
  return rates.split(',').flatMap((text) => {
    const [currency = '', rate = ''] = text.split(' ')
    return names.has(currency) ? [{ date, currency, rate, origin }] : []
  })
}

/** Returns the rates of the given days (newest first), sorted by currency within each day. The rates of a day may come from several sources. */
function getRows(days: readonly FxDayRow[]): Row[] {
  return [...Map.groupBy(days, ({ date }) => date).values()].flatMap((parts) => {
    const rows = parts.flatMap(rowsOfDay)
    return parts.length > 1 ? rows.sort((a, b) => byCode(a.currency, b.currency)) : rows
  })
}

/** Immutable in-memory pound rates, newest first, then by code. */
export class ExchangeRates {
  readonly #rows: readonly Row[]
  readonly #byCurrency: ReadonlyMap<string, readonly Row[]>
  readonly #latest: readonly FxRate[]

  /** Expects days newest first. Ignores currencies not in the reference list. */
  constructor(days: readonly FxDayRow[]) {
    this.#rows = getRows(days)
    this.#byCurrency = Map.groupBy(this.#rows, ({ currency }) => currency)
    const newest = [...this.#byCurrency.values()].flatMap(([row]) => (row ? [row] : []))
    this.#latest = newest.sort((a, b) => byCode(a.currency, b.currency)).map((row) => this.#getRate(row))
  }

  #getRate({ currency, rate, date, origin }: Row): FxRate {
    return { currency, name: names.get(currency) ?? currency, rate, inverseRate: invert(rate), date, ...origin }
  }

  #getDay({ date, currency, rate, origin }: Row): FxDay {
    const days = this.#byCurrency.get(currency) ?? []
    const older = days[firstPast(days, (day) => day.date < date)]
    return { date, currency, rate, changePercent: changeBetween(older?.rate, rate), ...origin }
  }

  /** Returns the latest rate of each currency, sorted by code, or of one currency. */
  latest(currency?: string): readonly FxRate[] {
    return currency === undefined ? this.#latest : this.#latest.filter((rate) => rate.currency === currency)
  }

  /** Returns a page of the history, newest first. Uses binary search. */
  history({ currency, from, to, after, limit }: FxHistoryQuery): { rows: FxDay[]; more: boolean } {
    const rows = currency === undefined ? this.#rows : (this.#byCurrency.get(currency) ?? [])
    const first = to === undefined ? 0 : firstPast(rows, (row) => row.date <= to)
    const end = from === undefined ? rows.length : firstPast(rows, (row) => row.date < from)
    const start = Math.max(first, after ? firstPast(rows, (row) => isBehind(row, after)) : 0)
    const page = rows.slice(start, Math.min(end, start + limit))
    return { rows: page.map((row) => this.#getDay(row)), more: start + limit < end }
  }
}
