import { dayMs, isoDay, isoMonth, parseDay } from '#server/api/contract/dates.ts'
import { invalid } from '#server/api/contract/errors.ts'
import type { Grain } from './usage.sql.ts'

/** Inclusive UTC dates (`YYYY-MM-DD`). Reports by hour also accept UTC hours (`YYYY-MM-DDTHH`). */
export type UsageDates = { readonly from: string; readonly to: string }

/** Maximum number of periods in a report. Two years can touch 25 months. */
export const maxPeriods = { hour: 8 * 24, day: 92, month: 25 } as const

const hourMs = 3_600_000

const isoHour = (at: number): string => new Date(at).toISOString().slice(0, 13)

/** Returns the start of a UTC hour; null if the text isn't a valid hour. */
function parseHour(text: string): Date | null {
  const hour = new Date(/^\d{4}-\d\d-\d\dT\d\d$/.test(text) ? `${text}:00:00Z` : Number.NaN)
  return !Number.isNaN(hour.getTime()) && isoHour(hour.getTime()) === text ? hour : null
}

const malformed = () => invalid('"from" and "to" must be dates such as 2026-11-21, and "from" must not be after "to".')

/** Returns the start of the range, and the end, which is exclusive. @throws RefusedError (400) if the dates are invalid or in the wrong order. */
function parseRange({ from, to }: UsageDates, grain: Grain): { from: Date; to: Date } {
  const [first, last] = [parseDay(from), parseDay(to)]
  const start = first ?? (grain === 'hour' ? parseHour(from) : null)
  const end = last ? new Date(last.getTime() + dayMs) : grain === 'hour' ? parseHour(to) : null
  if (start === null || end === null) throw malformed()
  const exclusive = last ? end : new Date(end.getTime() + hourMs)
  if (exclusive <= start) throw malformed()
  return { from: start, to: exclusive }
}

/** Returns the number of periods of a range, and a function that names each: `2026-11-21T07`, `2026-11-21` or `2026-11`. */
function getPeriods(from: Date, to: Date, grain: Grain): { count: number; nameOf: (index: number) => string } {
  if (grain === 'month') {
    const count = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() + (to.getUTCDate() > 1 ? 1 : 0)
    return { count, nameOf: (index) => isoMonth(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + index, 1)) }
  }
  const [size, format] = grain === 'hour' ? [hourMs, isoHour] : [dayMs, isoDay]
  return { count: (to.getTime() - from.getTime()) / size, nameOf: (index) => format(from.getTime() + index * size) }
}

/** Returns a range's limits and the names of its periods, in order. @throws RefusedError (400) if the range is invalid or too long for the grain. */
export function readUsageRange(dates: UsageDates, grain: Grain, max: number = maxPeriods[grain]): { from: Date; to: Date; periods: readonly string[] } {
  const { from, to } = parseRange(dates, grain)
  const { count, nameOf } = getPeriods(from, to, grain)
  // Checked before the names are made: the years 0000 to 9999 have 87 million hours.
  if (count > max) throw invalid(`A usage range can't exceed ${max} ${grain}s. Choose a shorter range.`)
  return { from, to, periods: Array.from({ length: count }, (_, index) => nameOf(index)) }
}
