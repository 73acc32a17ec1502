/** Uptime checks of one UTC day. */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

/** State of a day. `some`: every check passed, but the checks didn't cover the whole day. */
export type DayState = 'good' | 'some' | 'bad' | 'none'

export type ShownDay = { readonly day: string; readonly state: DayState; readonly good: number; readonly bad: number }

const [daysShown, dayMs, minuteMs] = [90, 86_400_000, 60_000]

/** Share of a day's minutes that must be checked for the day to count as fully covered. Less than 1 to allow for restarts. */
const wholeShare = 0.9

/** Time without checks after which the state is unknown. */
const silentAfterMs = 5 * minuteMs

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function toState(uptimeDay: UptimeDay | undefined, minutes: number): DayState {
  if (uptimeDay === undefined || uptimeDay.good + uptimeDay.bad === 0) return 'none'
  if (uptimeDay.bad > 0) return 'bad'
  return uptimeDay.good >= Math.floor(minutes * wholeShare) ? 'good' : 'some'
}

/** Returns the last ninety UTC days, oldest first, including those without checks. */
export function shownDays(uptime: readonly UptimeDay[], now: number): ShownDay[] {
  const byDay = new Map(uptime.map((uptimeDay) => [uptimeDay.day, uptimeDay]))
  return Array.from({ length: daysShown }, (_, index) => {
    const day = toDay(now - (daysShown - 1 - index) * dayMs)
    const uptimeDay = byDay.get(day)
    const minutes = Math.min(1_440, Math.max(1, Math.floor((now - Date.parse(day)) / minuteMs)))
    return { day, state: toState(uptimeDay, minutes), good: uptimeDay?.good ?? 0, bad: uptimeDay?.bad ?? 0 }
  })
}

/** Returns the time of the last check if checks have stopped, null if they are running, and undefined if there has never been one. */
export function silentSince(uptime: readonly UptimeDay[], now: number): Date | null | undefined {
  const last = uptime.at(-1)?.readAt
  if (last === undefined) return undefined
  return now - last.getTime() > silentAfterMs ? last : null
}

const count = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** Summarises the ninety days in a sentence. */
export function summarise(days: readonly ShownDay[]): string {
  const of = (state: DayState) => days.filter((day) => day.state === state).length
  const parts = [
    [of('good'), 'operational'],
    [of('some'), 'operational with incomplete data'],
    [of('bad'), 'with some downtime'],
    [of('none'), 'without data'],
  ] as const
  return `${parts
    .filter(([number]) => number > 0)
    .map(([number, label]) => `${count(number)} ${label}`)
    .join(', ')}.`
}

const grouped = new Intl.NumberFormat('en-GB')

/** Describes the checks of one day. */
export function dayText({ state, good, bad }: ShownDay): string {
  if (state === 'none') return 'No data'
  if (state === 'bad') return `${grouped.format(bad)} of ${grouped.format(good + bad)} checks failed`
  return good === 1 ? '1 check passed' : `All ${grouped.format(good)} checks passed`
}
