/** Uptime checks of one UTC day. */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

/** State of a day. `some`: every check passed, but the checks didn't cover the whole day. `before`: the day is older than the first check. */
export type DayState = 'good' | 'some' | 'bad' | 'none' | 'before'

export type ShownDay = { readonly day: string; readonly state: DayState; readonly good: number; readonly bad: number }

const [daysShown, dayMs, minuteMs] = [90, 86_400_000, 60_000]

/** Share of a day's minutes that must be checked for the day to count as fully covered. Less than 1 to allow for restarts. */
const wholeShare = 0.9

/** Time without checks after which the state is unknown. */
const silentAfterMs = 5 * minuteMs

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns the minutes of a UTC day that have passed. */
const countMinutes = (day: string, now: number): number => Math.min(1_440, Math.max(1, Math.floor((now - Date.parse(day)) / minuteMs)))

function toState(uptimeDay: UptimeDay | undefined, minutes: number): DayState {
  if (uptimeDay === undefined || uptimeDay.good + uptimeDay.bad === 0) return 'none'
  if (uptimeDay.bad > 0) return 'bad'
  return uptimeDay.good >= Math.floor(minutes * wholeShare) ? 'good' : 'some'
}

/** Returns the UTC days from the first check until today, oldest first, at most ninety. The day on which checks began need not be covered as a whole. */
export function shownDays(uptime: readonly UptimeDay[], now: number): ShownDay[] {
  const [first] = uptime
  if (first === undefined) return []
  const byDay = new Map(uptime.map((uptimeDay) => [uptimeDay.day, uptimeDay]))
  const sinceFirst = Math.floor((now - Date.parse(first.day)) / dayMs) + 1
  const count = Math.min(daysShown, sinceFirst)
  return Array.from({ length: count }, (_, index) => {
    const day = toDay(now - (count - 1 - index) * dayMs)
    const uptimeDay = byDay.get(day)
    const isBeginning = day === first.day && sinceFirst < daysShown
    return { day, state: toState(uptimeDay, isBeginning ? 1 : countMinutes(day, now)), good: uptimeDay?.good ?? 0, bad: uptimeDay?.bad ?? 0 }
  })
}

/** Puts days older than the first check in front, so that there are always ninety. */
export function withDaysBefore(days: readonly ShownDay[], now: number): ShownDay[] {
  const count = daysShown - days.length
  const before = Array.from({ length: count }, (_, index) => ({
    day: toDay(now - (daysShown - 1 - index) * dayMs),
    state: 'before' as const,
    good: 0,
    bad: 0,
  }))
  return [...before, ...days]
}

const withoutData: ReadonlySet<DayState> = new Set(['none', 'before'])

/** Groups consecutive days with the same lack of data. Every other day is a group by itself. */
export function groupDays(days: readonly ShownDay[]): { readonly day: string; readonly state: DayState; readonly count: number }[] {
  const starts = days.flatMap(({ state }, index) => (withoutData.has(state) && days[index - 1]?.state === state ? [] : [index]))
  return starts.flatMap((start, index) => {
    const first = days[start]
    return first === undefined ? [] : [{ day: first.day, state: first.state, count: (starts[index + 1] ?? days.length) - start }]
  })
}

/** Returns the time of the last check if checks have stopped, null if they are running, and undefined if there has never been one. */
export function silentSince(uptime: readonly UptimeDay[], now: number): Date | null | undefined {
  const last = uptime.at(-1)?.readAt
  if (last === undefined) return undefined
  return now - last.getTime() > silentAfterMs ? last : null
}

/** Periods with an uptime percentage, in UTC days including today. */
export const uptimePeriods = [
  { name: 'Today', days: 1 },
  { name: '7 days', days: 7 },
  { name: '30 days', days: 30 },
  { name: '90 days', days: 90 },
] as const

/** Returns the share of passed checks in the last days, rounded down so that 100% means no failure: `99.98%`. Null without checks. */
export function uptimePercent(days: readonly ShownDay[], count: number): string | null {
  const shown = days.slice(-count)
  const good = shown.reduce((sum, day) => sum + day.good, 0)
  const all = shown.reduce((sum, day) => sum + day.good + day.bad, 0)
  return all === 0 ? null : `${Math.floor((good / all) * 10_000) / 100}%`
}

const grouped = new Intl.NumberFormat('en-GB')

/** Describes the checks of one day. */
export function dayText({ state, good, bad }: ShownDay): string {
  if (state === 'before') return 'No data yet'
  if (state === 'none') return 'No data'
  if (state === 'bad') return `${grouped.format(bad)} of ${grouped.format(good + bad)} checks failed`
  return good === 1 ? '1 check passed' : `${grouped.format(good)} checks passed`
}
