/** What a page of usage shows. All of it stands in its address, so that it can be kept and passed on. */
export type UsageView = {
  /** UTC days, both taken in. */
  readonly from: string
  readonly to: string
  /** The last so many days, today with them; null for other days. */
  readonly last: number | null
  readonly by: 'endpoint' | 'key' | 'status'
  readonly show: 'credits' | 'calls'
}

export const presets = [7, 30, 90] as const
export const groupings = ['endpoint', 'key', 'status'] as const
export const measures = ['credits', 'calls'] as const

/** The longest range that is shown at once. */
export const longestRange = 92

const dayMs = 86_400_000
const dayShape = /^\d{4}-\d{2}-\d{2}$/

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Midnight UTC of a day that exists; null for anything else. */
function startOf(text: string | undefined): number | null {
  const at = text !== undefined && dayShape.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || dayOf(at) !== text ? null : at
}

/** The days that end with today. */
export function lastDays(count: number, now: Date): { from: string; to: string } {
  return { from: dayOf(now.getTime() - (count - 1) * dayMs), to: dayOf(now.getTime()) }
}

/** How many days a range has. */
export const countDays = ({ from, to }: Pick<UsageView, 'from' | 'to'>): number => ((startOf(to) ?? 0) - (startOf(from) ?? 0)) / dayMs + 1

type Parameters = Readonly<Record<string, string | string[] | undefined>>

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Days that were chosen, put in order, not after today and not more than can be shown; null when none were. */
function chosenDays(given: Parameters, now: Date): { from: string; to: string } | null {
  const [one, other] = [startOf(single(given['from'])), startOf(single(given['to']))]
  if (one === null || other === null) return null
  const to = Math.min(Math.max(one, other), startOf(dayOf(now.getTime())) ?? 0)
  const from = Math.max(Math.min(one, other, to), to - (longestRange - 1) * dayMs)
  return { from: dayOf(from), to: dayOf(to) }
}

/** Reads an address. What cannot be read is as if it were not there. */
export function readUsageView(given: Parameters, now: Date): UsageView {
  const by = groupings.find((name) => name === single(given['by'])) ?? 'endpoint'
  const show = measures.find((name) => name === single(given['show'])) ?? 'credits'
  const chosen = chosenDays(given, now)
  if (chosen) return { ...chosen, last: null, by, show }
  const last = presets.find((count) => String(count) === single(given['days'])) ?? presets[0]
  return { ...lastDays(last, now), last, by, show }
}

/** The address of a view. */
export function usageHref({ from, to, last, by, show }: UsageView): string {
  const range = last === null ? { from, to } : { days: String(last) }
  return `/portal/usage?${new URLSearchParams({ ...range, by, show })}`
}
