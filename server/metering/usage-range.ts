import { invalid } from '#server/api/contract/errors.ts'
import type { DayRange } from './usage-report.store.ts'

const dayMs = 86_400_000

/** Maximum number of days in a usage report. */
export const maxDays = 92

const shape = /^\d{4}-\d{2}-\d{2}$/

/** Returns midnight UTC of a day; null if there is no such day. */
function getStart(day: string): number | null {
  const at = shape.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at
}

/** Returns every day of a range, in order. @throws RefusedError (400) if the range is invalid or too long. */
export function listDays({ from, to }: DayRange): string[] {
  const [first, last] = [getStart(from), getStart(to)]
  if (first === null || last === null || last < first) throw invalid('"from" and "to" must be dates such as 2026-11-21, and "from" must not be after "to".')
  const count = (last - first) / dayMs + 1
  if (count > maxDays) throw invalid(`A usage range can't exceed ${maxDays} days.`)
  return Array.from({ length: count }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10))
}
