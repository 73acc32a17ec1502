import { invalid } from '#server/api/contract/errors.ts'
import type { DayRange } from './usage-report.store.ts'

const dayMs = 86_400_000

/** Most days that a page of usage tells of at once. */
export const mostDays = 92

const shape = /^\d{4}-\d{2}-\d{2}$/

/** Midnight UTC of a day; null when there is no such day. */
function startOf(day: string): number | null {
  const at = shape.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at
}

/** Every day of a range, in order. @throws RefusedError (400) when it is none, or too long. */
export function daysOf({ from, to }: DayRange): string[] {
  const [first, last] = [startOf(from), startOf(to)]
  if (first === null || last === null || last < first) throw invalid('"from" and "to" must be days such as 2026-11-21, "from" not after "to".')
  const count = (last - first) / dayMs + 1
  if (count > mostDays) throw invalid(`A range of usage has at most ${mostDays} days.`)
  return Array.from({ length: count }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10))
}
