import { currencies } from '../reference/currencies.ts'
import { divide, percentChange, readDecimal, writeDecimal } from '../sources/exact-decimal.ts'
import type { FxDayRow } from './statistics.store.ts'

/** The newest rate of a currency: units for one pound, pounds for one unit, both as exact decimal text. */
export type FxRate = FxOrigin & { readonly currency: string; readonly name: string; readonly rate: string; readonly inverseRate: string; readonly date: string }

/** A rate of one day; the change is on the next older rate of the currency, in percent, with its sign. */
export type FxDay = FxOrigin & { readonly date: string; readonly currency: string; readonly rate: string; readonly changePercent: string | null }

type FxOrigin = { readonly source: string; readonly licence: string; readonly fetchedAt: string }

/** Place of a row in the history: newest first, then by currency. */
export type FxKey = { readonly date: string; readonly currency: string }

export type FxHistoryQuery = {
  readonly currency?: string | undefined
  /** First and last day, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after?: FxKey | null | undefined
  readonly limit: number
}

/** Digits of `inverseRate`, so that currencies of many units for a pound keep as many as the others. */
const inverseDigits = 8

/** One rate as it is kept; all rates of a fetch share an origin. */
type Row = FxKey & { readonly rate: string; readonly origin: FxOrigin }

const names: ReadonlyMap<string, string> = new Map(currencies.map(({ code, name }) => [code, name]))

const byCode = (a: string, b: string) => (a < b ? -1 : 1)

function inverseOf(rate: string): string {
  const decimal = readDecimal(rate)
  if (!decimal || decimal.units <= 0n) throw new Error(`A rate of exchange is "${rate}".`)
  return writeDecimal(divide({ units: 1n, scale: 0 }, decimal, inverseDigits))
}

function changeBetween(older: string | undefined, newer: string): string | null {
  const [from, to] = [readDecimal(older ?? ''), readDecimal(newer)]
  return from && to ? percentChange(from, to) : null
}

function isBehind(row: FxKey, key: FxKey): boolean {
  return row.date === key.date ? row.currency > key.currency : row.date < key.date
}

/** Index of the first row that `isPast`; the rows that are past stand behind all others. */
function firstPast(rows: readonly FxKey[], isPast: (row: FxKey) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row === undefined || isPast(row)) high = middle
    else low = middle + 1
  }
  return low
}

function rowsOfDay({ date, rates, source, licence, fetched_at }: FxDayRow): Row[] {
  const origin = { source, licence, fetchedAt: fetched_at }
  return rates.split(',').flatMap((text) => {
    const [currency = '', rate = ''] = text.split(' ')
    return names.has(currency) ? [{ date, currency, rate, origin }] : []
  })
}

/** All rates of days that are newest first, in the order of the history. A day may come in parts, from one source each. */
function rowsOf(days: readonly FxDayRow[]): Row[] {
  return [...Map.groupBy(days, ({ date }) => date).values()].flatMap((parts) => {
    const rows = parts.flatMap(rowsOfDay)
    return parts.length > 1 ? rows.sort((a, b) => byCode(a.currency, b.currency)) : rows
  })
}

/** Rates of the pound in memory, newest first, then by code. It never changes. */
export class ExchangeRates {
  readonly #rows: readonly Row[]
  readonly #byCurrency = new Map<string, Row[]>()
  readonly #latest: readonly FxRate[]

  /** The days are newest first. Currencies that are not in the reference list are left out. */
  constructor(days: readonly FxDayRow[]) {
    this.#rows = rowsOf(days)
    for (const row of this.#rows) {
      const list = this.#byCurrency.get(row.currency)
      if (list) list.push(row)
      else this.#byCurrency.set(row.currency, [row])
    }
    const newest = [...this.#byCurrency.values()].flatMap(([row]) => (row ? [row] : []))
    this.#latest = newest.sort((a, b) => byCode(a.currency, b.currency)).map((row) => this.#rateOf(row))
  }

  #rateOf({ currency, rate, date, origin }: Row): FxRate {
    return { currency, name: names.get(currency) ?? currency, rate, inverseRate: inverseOf(rate), date, ...origin }
  }

  #dayOf({ date, currency, rate, origin }: Row): FxDay {
    const days = this.#byCurrency.get(currency) ?? []
    const older = days[firstPast(days, (day) => day.date < date)]
    return { date, currency, rate, changePercent: changeBetween(older?.rate, rate), ...origin }
  }

  /** The newest rate of each currency, by code; of one, when it is named. */
  latest(currency?: string): readonly FxRate[] {
    return currency === undefined ? this.#latest : this.#latest.filter((rate) => rate.currency === currency)
  }

  /** A page of the history, newest first. Every boundary is found by binary search. */
  history({ currency, from, to, after, limit }: FxHistoryQuery): { rows: FxDay[]; more: boolean } {
    const rows = currency === undefined ? this.#rows : (this.#byCurrency.get(currency) ?? [])
    const first = to === undefined ? 0 : firstPast(rows, (row) => row.date <= to)
    const end = from === undefined ? rows.length : firstPast(rows, (row) => row.date < from)
    const start = Math.max(first, after ? firstPast(rows, (row) => isBehind(row, after)) : 0)
    const page = rows.slice(start, Math.min(end, start + limit))
    return { rows: page.map((row) => this.#dayOf(row)), more: start + limit < end }
  }
}
