/** Range, grouping and measure of the usage page, stored in the URL so that users can bookmark and share a view. */
export type UsageView = {
  /** Inclusive UTC dates. */
  readonly from: string
  readonly to: string
  /** Number of days including today; null for a custom range. */
  readonly last: number | null
  readonly by: 'endpoint' | 'key' | 'status'
  readonly show: 'credits' | 'calls'
}

export const presets = [7, 30, 90] as const
export const groupings = ['endpoint', 'key', 'status'] as const
export const measures = ['credits', 'calls'] as const

/** Longest range that can be shown, in days. */
export const longestRange = 92

const dayMs = 86_400_000
const dayShape = /^\d{4}-\d{2}-\d{2}$/

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns midnight UTC of a valid date; null for anything else. */
function parseDay(text: string | undefined): number | null {
  const at = text !== undefined && dayShape.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || toDay(at) !== text ? null : at
}

/** Returns the range that ends today and spans the given number of days. */
export function lastDays(count: number, now: Date): { from: string; to: string } {
  return { from: toDay(now.getTime() - (count - 1) * dayMs), to: toDay(now.getTime()) }
}

/** Returns the number of days in a range. */
export const countDays = ({ from, to }: Pick<UsageView, 'from' | 'to'>): number => ((parseDay(to) ?? 0) - (parseDay(from) ?? 0)) / dayMs + 1

type Parameters = Readonly<Record<string, string | string[] | undefined>>

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Returns the custom date range, sorted and clamped to today and the maximum length; null unless both dates are valid. */
function chosenDays(given: Parameters, now: Date): { from: string; to: string } | null {
  const [one, other] = [parseDay(single(given['from'])), parseDay(single(given['to']))]
  if (one === null || other === null) return null
  const to = Math.min(Math.max(one, other), parseDay(toDay(now.getTime())) ?? 0)
  const from = Math.max(Math.min(one, other, to), to - (longestRange - 1) * dayMs)
  return { from: toDay(from), to: toDay(to) }
}

/** Parses a URL's search parameters. Malformed parameters are ignored. */
export function readUsageView(given: Parameters, now: Date): UsageView {
  const by = groupings.find((name) => name === single(given['by'])) ?? 'endpoint'
  const show = measures.find((name) => name === single(given['show'])) ?? 'credits'
  const chosen = chosenDays(given, now)
  if (chosen) return { ...chosen, last: null, by, show }
  const last = presets.find((count) => String(count) === single(given['days'])) ?? presets[0]
  return { ...lastDays(last, now), last, by, show }
}

/** Returns the URL of the usage page with the given range, grouping and measure. */
export function usageHref({ from, to, last, by, show }: UsageView): string {
  const range = last === null ? { from, to } : { days: String(last) }
  return `/portal/usage?${new URLSearchParams({ ...range, by, show })}`
}
