import type { Grain } from '#components/charts/time-axis.ts'

/** Range, periods, grouping, measure and filters of the usage page, stored in the URL so that users can bookmark and share a view. */
export type UsageView = {
  /** Inclusive UTC dates, or UTC hours for the last 24 hours. */
  readonly from: string
  readonly to: string
  /** Number of days including today: 0 for today, 1 for the last 24 hours, `yesterday` for the day before; null for a custom range. */
  readonly days: Preset | null
  readonly grain: Grain
  readonly by: 'endpoint' | 'key' | 'status'
  readonly show: 'credits' | 'calls'
  readonly endpoint: string | null
  readonly key: string | null
  readonly status: string | null
}

/** Ranges to choose from. Today and yesterday are UTC days. */
export const presets = [
  { days: 0, name: 'Today' },
  { days: 'yesterday', name: 'Yesterday' },
  { days: 1, name: '24 hours' },
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 365, name: '1 year' },
] as const

type Preset = (typeof presets)[number]['days']

export const groupings = ['endpoint', 'key', 'status'] as const
export const measures = ['credits', 'calls'] as const
export const grains = ['hour', 'day', 'month'] as const

/** Maximum range by hour and by day, and the maximum age of hourly figures, in days. */
const [maxHourDays, maxDays, hoursKeptDays] = [8, 92, 31]
/** Maximum range in days. */
export const longestRange = 730

const [dayMs, hourMs] = [86_400_000, 3_600_000]
const dayShape = /^\d{4}-\d{2}-\d{2}$/

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const toHour = (ms: number): string => new Date(ms).toISOString().slice(0, 13)

/** Returns midnight UTC of a valid date; null for anything else. */
function parseDay(text: string | undefined): number | null {
  const at = text !== undefined && dayShape.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || toDay(at) !== text ? null : at
}

/** Returns the range that ends today and spans the given number of days. */
export function lastDays(count: number, now: Date): { from: string; to: string } {
  return { from: toDay(now.getTime() - (count - 1) * dayMs), to: toDay(now.getTime()) }
}

/** Returns the range of the last 24 hours, including the current one. */
export function lastHours(now: Date): { from: string; to: string; grain: 'hour' } {
  return { from: toHour(now.getTime() - 23 * hourMs), to: toHour(now.getTime()), grain: 'hour' }
}

/** Returns the number of days in a range of dates. */
const countDays = ({ from, to }: Pick<UsageView, 'from' | 'to'>): number => ((parseDay(to) ?? 0) - (parseDay(from) ?? 0)) / dayMs + 1

type Parameters = Readonly<Record<string, string | string[] | undefined>>

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
const text = (value: string | string[] | undefined): string | null => single(value)?.trim().slice(0, 100) || null

/** Returns the custom date range, sorted and clamped to today and the maximum length; null unless both dates are valid. */
function chosenDays(given: Parameters, now: Date): { from: string; to: string } | null {
  const [one, other] = [parseDay(single(given['from'])), parseDay(single(given['to']))]
  if (one === null || other === null) return null
  const to = Math.min(Math.max(one, other), parseDay(toDay(now.getTime())) ?? 0)
  const from = Math.max(Math.min(one, other, to), to - (longestRange - 1) * dayMs)
  return { from: toDay(from), to: toDay(to) }
}

/** Returns the periods that a range can be divided into. */
function possibleGrains({ from, to }: { from: string; to: string }, now: Date): readonly Grain[] {
  const days = countDays({ from, to })
  const isKept = (parseDay(from) ?? 0) >= now.getTime() - hoursKeptDays * dayMs
  return grains.filter((grain) => (grain === 'hour' ? days <= maxHourDays && isKept : grain === 'day' ? days <= maxDays : days > maxHourDays))
}

/** Returns the range of a preset. Twelve months start on the first day of a month. */
function presetRange(days: Preset, now: Date): { from: string; to: string } {
  if (days === 0) return lastDays(1, now)
  if (days === 'yesterday') return lastDays(1, new Date(now.getTime() - dayMs))
  if (days === 1) return lastHours(now)
  if (days < 365) return lastDays(days, now)
  return { from: toDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)), to: toDay(now.getTime()) }
}

/** Returns the wanted grain if it is possible; otherwise days, or the coarsest possible grain. */
function chooseGrain(wanted: string | undefined, possible: readonly Grain[]): Grain {
  return possible.find((grain) => grain === wanted) ?? possible.find((grain) => grain === 'day') ?? possible.at(-1) ?? 'day'
}

/** True for the ranges that are always divided into hours. */
const isByHour = (days: Preset | null): boolean => days === 0 || days === 1 || days === 'yesterday'

/** Parses a URL's search parameters. Malformed parameters are ignored. */
export function readUsageView(given: Parameters, now: Date): UsageView {
  const by = groupings.find((name) => name === single(given['by'])) ?? 'endpoint'
  const show = measures.find((name) => name === single(given['show'])) ?? 'credits'
  const filters = { endpoint: text(given['endpoint']), key: text(given['key']), status: text(given['status']) }
  const chosen = chosenDays(given, now)
  const days = chosen ? null : (presets.find((preset) => String(preset.days) === single(given['days']))?.days ?? 7)
  const range = chosen ?? presetRange(days ?? 7, now)
  const grain = isByHour(days) ? 'hour' : chooseGrain(single(given['grain']), possibleGrains(range, now))
  return { from: range.from, to: range.to, days, grain, by, show, ...filters }
}

/** Returns the view with another grain. If its range can't be divided into such periods, the range changes to a preset that can. */
export function withGrain(view: UsageView, grain: Grain, now: Date): UsageView {
  if (view.grain === grain) return view
  if (!isByHour(view.days) && possibleGrains(view, now).includes(grain)) return { ...view, grain }
  const days = grain === 'hour' ? 7 : grain === 'month' ? 365 : view.days === 365 || view.days === null ? 90 : 7
  return { ...view, ...presetRange(days, now), days, grain }
}

/** Returns the view with the range of a preset, and the default periods of that range. */
export function withPreset(view: UsageView, days: Preset, now: Date): UsageView {
  const range = presetRange(days, now)
  return { ...view, ...range, days, grain: isByHour(days) ? 'hour' : chooseGrain(undefined, possibleGrains(range, now)) }
}

/** Returns the view with the dates of its range, so that they can be changed. */
export const withCustomRange = (view: UsageView): UsageView => ({ ...view, from: view.from.slice(0, 10), to: view.to.slice(0, 10), days: null })

/** Returns the custom ranges that have a name: this month and last month (UTC), by day. */
export function namedRanges(view: UsageView, now: Date): { name: string; view: UsageView }[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const ranges = [
    { name: 'This month', from: toDay(Date.UTC(year, month, 1)), to: toDay(now.getTime()), grain: 'day' },
    { name: 'Last month', from: toDay(Date.UTC(year, month - 1, 1)), to: toDay(Date.UTC(year, month, 0)), grain: 'day' },
  ] as const
  return ranges.map(({ name, ...range }) => ({ name, view: { ...view, ...range, days: null } }))
}

/** Returns the URL of the usage page with a view. */
export function usageHref({ from, to, days, grain, by, show, ...filters }: UsageView): string {
  const range = days === null ? { from, to } : { days: String(days) }
  const set = Object.entries(filters).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]))
  return `/portal/usage?${new URLSearchParams([...Object.entries(range), ...Object.entries({ grain, by, show }), ...set])}`
}

/** Describes the range of a view: `today (UTC)`, `yesterday (UTC)`, `in the last 24 hours`, `in the last 12 months`, `in the selected dates`. */
export function rangeText({ days }: UsageView): string {
  if (days === 0) return 'today (UTC)'
  if (days === 'yesterday') return 'yesterday (UTC)'
  // The last year starts on the first day of a month.
  if (days === 365) return 'in the last 12 months'
  const preset = presets.find((one) => one.days === days)
  return preset ? `in the last ${preset.name}` : 'in the selected dates'
}

const statusGroups = ['2xx', '3xx', '4xx', '5xx', 'failed'] as const

/** Parses the URL's status filter into the input of the tRPC procedures. Null if malformed. */
export function toStatusFilter(status: string | null): number | (typeof statusGroups)[number] | null {
  if (status !== null && /^[1-5]\d\d$/.test(status)) return Number(status)
  return statusGroups.find((group) => group === status) ?? null
}

/** Returns the input of the report for a view. */
export const reportInput = ({ from, to, grain, by, endpoint, key, status }: UsageView) => ({
  from,
  to,
  grain,
  by,
  endpoint,
  key,
  status: toStatusFilter(status),
})

type Outcomes = { readonly calls: number; readonly rejected: number; readonly failed: number }

/** Returns the tone of an error rate: danger from 1% server errors, caution from 5% errors of any kind. */
export function errorTone({ calls, rejected, failed }: Outcomes): 'danger' | 'caution' | undefined {
  if (failed > 0 && failed >= calls * 0.01) return 'danger'
  return rejected + failed > 0 && rejected + failed >= calls * 0.05 ? 'caution' : undefined
}
