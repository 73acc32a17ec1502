import { monthBefore } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Plain } from '../product.ts'
import { bankRateSeries } from '../sources/boe-iadb.ts'
import { ecbSeries } from '../sources/ecb-key-rates.ts'
import { readDecimal, toWholeHundredths } from '../sources/exact-decimal.ts'
import { inflationSeries, onsCpi } from '../sources/ons-series.ts'
import type { Release } from './fetches.ts'

/** Stored value: an ISO date, an exact decimal (null if not known), its origin and the time it was fetched. */
export type StatisticRow = Plain<Omit<Prisma.StatisticModel, 'value'>> & { readonly value: string | null }

/** Rate on a given day, in basis points; null if the value for that day is not known. */
export type Point = { readonly date: string; readonly valueBp: number | null }

/** Values of a series, oldest first, and their origin. */
export type RateSeries = {
  readonly points: readonly Point[]
  /** Newest day with a known value. */
  readonly asOf: string
  readonly source: string
  readonly licence: string
  /** Fetch time of the most recently fetched value. */
  readonly fetchedAt: string
}

function toBp(value: string | null): number | null {
  const decimal = value === null ? undefined : readDecimal(value)
  return decimal ? toWholeHundredths(decimal) : null
}

function getSeries(rows: readonly StatisticRow[]): RateSeries | undefined {
  const newest = rows.findLast(({ value }) => value !== null)
  if (!newest) return undefined
  const times = rows.map(({ fetchedAt }) => fetchedAt).sort()
  const points = rows.map(({ date, value }) => ({ date, valueBp: toBp(value) }))
  return { points, asOf: newest.date, source: newest.source, licence: newest.licence, fetchedAt: times.at(-1) ?? newest.fetchedAt }
}

/** Groups rows, sorted by series and date, into series by code. Omits series without known values. */
export function seriesByCode(rows: readonly StatisticRow[]): ReadonlyMap<string, RateSeries> {
  const groups = Map.groupBy(rows, ({ series }) => series)
  const found = [...groups].map(([code, group]) => [code, getSeries(group)] as const)
  return new Map(found.flatMap(([code, series]) => (series ? [[code, series] as const] : [])))
}

/** Returns the days on which a rate changed, oldest first, omitting days that only confirm the rate. */
function findChanges(points: readonly Point[]): Point[] {
  return points.filter(({ valueBp }, index) => index === 0 || valueBp !== points[index - 1]?.valueBp)
}

/** Returns the rate in force on a day; null before the first value and in gaps. */
export function valueOn(points: readonly Point[], date: string): number | null {
  return points.findLast((point) => point.date <= date)?.valueBp ?? null
}

/** Source and age of a value. `asOf` is the newest day that the source confirmed. */
export type Origin = { readonly asOf: string; readonly source: string; readonly licence: string; readonly fetchedAt: string }

export type RateStep = { readonly date: string; readonly rateBp: number; readonly changeBp: number | null }

const origin = ({ asOf, source, licence, fetchedAt }: RateSeries): Origin => ({ asOf, source, licence, fetchedAt })

function toStep({ date, valueBp }: Point, before: Point | undefined): RateStep[] {
  if (valueBp === null) return []
  const beforeBp = before?.valueBp ?? null
  return [{ date, rateBp: valueBp, changeBp: beforeBp === null ? null : valueBp - beforeBp }]
}

/** Returns Bank Rate; history newest first, rates in basis points. Undefined without a known value. */
export function toBankRate(series: ReadonlyMap<string, RateSeries>) {
  const found = series.get(bankRateSeries)
  if (!found) return undefined
  const changes = findChanges(found.points)
  const history = changes.flatMap((point, index) => toStep(point, changes[index - 1])).reverse()
  const [latest] = history
  if (!latest) return undefined
  return {
    ...origin(found),
    series: bankRateSeries,
    currentBp: latest.rateBp,
    effectiveDate: latest.date,
    // The rate immediately before the latest one. After a gap it is unknown, even if an older rate is known.
    previousBp: latest.changeBp === null ? null : latest.rateBp - latest.changeBp,
    changeBp: latest.changeBp,
    history,
  }
}

/** Returns the origin of the deposit facility rate, with the oldest `asOf` of the three rates. */
function jointOrigin(deposit: RateSeries, others: readonly (RateSeries | undefined)[]): Origin {
  const asOf = others.reduce((oldest, other) => (other && other.asOf < oldest ? other.asOf : oldest), deposit.asOf)
  return { ...origin(deposit), asOf }
}

export type BankRate = NonNullable<ReturnType<typeof toBankRate>>

/** Returns the three ECB key rates, in basis points; history newest first. Undefined without a deposit facility rate. */
export function toEcbRates(series: ReadonlyMap<string, RateSeries>) {
  const deposit = series.get(ecbSeries.depositFacility)
  if (!deposit) return undefined
  const [main, marginal] = [series.get(ecbSeries.mainRefinancing), series.get(ecbSeries.marginalLending)]
  const changes = [deposit, main, marginal].map((found) => findChanges(found?.points ?? []))
  const dates = [...new Set(changes.flat().map(({ date }) => date))].sort().reverse()
  const [depositChanges = [], mainChanges = [], marginalChanges = []] = changes
  const history = dates.map((effectiveDate) => ({
    effectiveDate,
    depositFacilityBp: valueOn(depositChanges, effectiveDate),
    mainRefinancingBp: valueOn(mainChanges, effectiveDate),
    marginalLendingBp: valueOn(marginalChanges, effectiveDate),
  }))
  const [latest] = history
  return latest ? { ...jointOrigin(deposit, [main, marginal]), ...latest, history } : undefined
}

export type EcbRates = NonNullable<ReturnType<typeof toEcbRates>>

export type EcbStep = EcbRates['history'][number]

/** Latest month of an inflation measure; months as `2026-08`, values in basis points. */
export type InflationMeasure = {
  readonly seriesId: string
  readonly valueBp: number | null
  readonly month: string | null
  /** Value of the previous month; null if unknown. */
  readonly previousBp: number | null
}

const getMonth = (date: string) => date.slice(0, 7)

type Months = ReadonlyMap<string, number>

function getMonths(found: RateSeries | undefined): Months {
  return new Map(found?.points.flatMap(({ date, valueBp }) => (valueBp === null ? [] : [[getMonth(date), valueBp] as const])))
}

function toMeasure(seriesId: string, months: Months): InflationMeasure {
  const [month, valueBp] = [...months].at(-1) ?? [null, null]
  return { seriesId, valueBp, month, previousBp: month === null ? null : (months.get(monthBefore(month)) ?? null) }
}

/**
 * Returns the inflation measures, with the origin of CPI; undefined without CPI. The history is newest first and includes every month for which any measure has
 * a value.
 */
export function toInflation(series: ReadonlyMap<string, RateSeries>, releases: readonly Release[]) {
  const found = series.get(inflationSeries.cpi)
  if (!found) return undefined
  const [cpi, cpih, rpi] = [getMonths(found), getMonths(series.get(inflationSeries.cpih)), getMonths(series.get(inflationSeries.rpi))]
  const release = releases.find(({ source }) => source === onsCpi.name)
  const months = [...new Set([...cpi.keys(), ...cpih.keys(), ...rpi.keys()])].sort().reverse()
  return {
    ...origin(found),
    cpi: toMeasure(inflationSeries.cpi, cpi),
    cpih: toMeasure(inflationSeries.cpih, cpih),
    rpi: toMeasure(inflationSeries.rpi, rpi),
    releasedOn: release?.releasedOn ?? null,
    nextReleaseOn: release?.nextReleaseOn ?? null,
    history: months.map((month) => ({ month, cpiBp: cpi.get(month) ?? null, cpihBp: cpih.get(month) ?? null, rpiBp: rpi.get(month) ?? null })),
  }
}

export type Inflation = NonNullable<ReturnType<typeof toInflation>>
