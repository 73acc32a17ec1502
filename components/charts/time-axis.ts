import { utcTicks } from 'd3-time'

/** Target and maximum number of labels in a wide chart, and maximum on a phone; milliseconds in an hour. */
const [maxLabels, maxLabelsInAll, maxLabelsOnPhone, hourMs] = [8, 12, 5, 3_600_000]

/** Length of the periods of a chart. */
export type Grain = 'hour' | 'day' | 'month'

/** Returns the start of a UTC hour (`2026-11-21T07`), day (`2026-11-21`) or month (`2026-11`). */
export const periodStart = (period: string): Date =>
  new Date(period.length === 13 ? `${period}:00:00Z` : period.length === 7 ? `${period}-01T00:00:00Z` : `${period}T00:00:00Z`)

export const periodGrain = (period: string): Grain => (period.length === 13 ? 'hour' : period.length === 7 ? 'month' : 'day')

/** Label of the horizontal axis. `left` is the middle of the period as a percentage of the chart's width. Minor labels are hidden on a phone and in small charts. */
export type AxisLabel = { readonly text: string; readonly left: number; readonly isMinor: boolean }

const cache = new Map<string, Intl.DateTimeFormat>()

function format(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const name = `${timeZone} ${JSON.stringify(options)}`
  const known = cache.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  cache.set(name, known)
  return known.format(at)
}

const [shortDay, clock]: Intl.DateTimeFormatOptions[] = [
  { day: 'numeric', month: 'short' },
  { hour: '2-digit', minute: '2-digit' },
]

/** Returns the label of a period for the tooltip and for tables. Hours are in the given time zone, days and months in UTC. */
export function periodName(period: string, timeZone: string): string {
  const at = periodStart(period)
  const grain = periodGrain(period)
  if (grain === 'month') return format(at, 'UTC', { month: 'long', year: 'numeric' })
  if (grain === 'day') return format(at, 'UTC', { weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '')
  const end = new Date(at.getTime() + hourMs)
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${format(at, timeZone, shortDay ?? {})}, ${format(at, timeZone, clock ?? {})}–${format(end, timeZone, clock ?? {})} ${zone.replace('-', '−')}`
}

/** Returns the time zone's offset from UTC at a time, in milliseconds. */
function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)] as const)
  const of = (type: string) => parts.find(([name]) => name === type)?.[1] ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - Math.floor(at.getTime() / 60_000) * 60_000
}

function labelText(at: Date, local: Date, grain: Grain, timeZone: string): string {
  if (grain === 'month') return format(at, 'UTC', local.getUTCMonth() === 0 ? { month: 'short', year: 'numeric' } : { month: 'short' })
  if (grain === 'day') return format(at, 'UTC', shortDay ?? {})
  return local.getUTCHours() === 0 ? format(at, timeZone, shortDay ?? {}) : format(at, timeZone, clock ?? {})
}

/** Possible intervals between labelled days. */
const dayIntervals = [1, 2, 4, 7, 14] as const

/** Returns true for at most `max` of `count` items, evenly spaced and including the first. */
const isNth = (index: number, count: number, max: number): boolean => index % Math.ceil(count / max) === 0

/** Returns a function that is true for the periods to label: days at an interval, counted from the last one; round hours in the time zone; or months. */
function labelled(starts: readonly Date[], grain: Grain): (index: number) => boolean {
  const count = starts.length
  // If there are only a few periods, all of them get a label: the ticks of a short range may fall between them.
  if (count <= (grain === 'hour' ? 2 : maxLabels)) return () => true
  const interval = dayIntervals.find((days) => count <= days * maxLabels) ?? Math.ceil(count / maxLabels)
  if (grain === 'day') return (index) => (count - 1 - index) % interval === 0
  const ticks = new Set(utcTicks(starts[0] ?? new Date(0), starts.at(-1) ?? new Date(0), maxLabels).map((tick) => tick.getTime()))
  const shown = [...starts.keys()].filter((index) => ticks.has(starts[index]?.getTime() ?? 0))
  const kept = new Set(shown.filter((_, place) => isNth(shown.length - 1 - place, shown.length, maxLabelsInAll)))
  return (index) => kept.has(index)
}

/** Returns the labels of the horizontal axis: round hours in the given time zone, or days or months in UTC. */
export function axisLabels(periods: readonly string[], timeZone: string): readonly AxisLabel[] {
  const [first] = periods
  if (first === undefined) return []
  const grain = periodGrain(first)
  const starts = periods.map((period) => {
    const at = periodStart(period)
    if (grain !== 'hour') return { at, local: at }
    // In zones such as India's, UTC hours start at half past. They are rounded down to the local hour, so that round hours have a label.
    return { at, local: new Date(Math.floor((at.getTime() + offsetMs(at, timeZone)) / hourMs) * hourMs) }
  })
  const width = 100 / periods.length
  const isLabelled = labelled(
    starts.map(({ local }) => local),
    grain,
  )
  const labels = starts
    .map(({ at, local }, index) => ({ text: labelText(at, local, grain, timeZone), left: (index + 0.5) * width }))
    .filter((_, index) => isLabelled(index))
  // Counted from the end, because the current period matters most.
  return labels.map((label, index) => ({ ...label, isMinor: !isNth(labels.length - 1 - index, labels.length, maxLabelsOnPhone) }))
}
