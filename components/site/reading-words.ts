export type Reading = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

/** What is known of a day. `some`: nothing was wrong whenever somebody looked, which was not all day. */
export type DayState = 'good' | 'some' | 'bad' | 'none'

export type ShownDay = { readonly day: string; readonly state: DayState; readonly good: number; readonly bad: number }

const [daysShown, dayMs, minuteMs] = [90, 86_400_000, 60_000]

/** A day counts as looked at when this share of its minutes was; restarts take some. */
const wholeShare = 0.9

/** After so long without a reading nobody can say how it was. */
const silentAfterMs = 5 * minuteMs

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function stateOf(reading: Reading | undefined, minutes: number): DayState {
  if (reading === undefined || reading.good + reading.bad === 0) return 'none'
  if (reading.bad > 0) return 'bad'
  return reading.good >= Math.floor(minutes * wholeShare) ? 'good' : 'some'
}

/** The last ninety UTC days, the oldest first; of those without a reading nothing is said. */
export function shownDays(readings: readonly Reading[], now: number): ShownDay[] {
  const byDay = new Map(readings.map((reading) => [reading.day, reading]))
  return Array.from({ length: daysShown }, (_, index) => {
    const day = dayOf(now - (daysShown - 1 - index) * dayMs)
    const reading = byDay.get(day)
    const minutes = Math.min(1_440, Math.max(1, Math.floor((now - Date.parse(day)) / minuteMs)))
    return { day, state: stateOf(reading, minutes), good: reading?.good ?? 0, bad: reading?.bad ?? 0 }
  })
}

/** When somebody looked last, if that is too long ago; undefined: nobody ever did. Null: somebody looks. */
export function silentSince(readings: readonly Reading[], now: number): Date | null | undefined {
  const last = readings.at(-1)?.readAt
  if (last === undefined) return undefined
  return now - last.getTime() > silentAfterMs ? last : null
}

const count = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** The ninety days in a sentence. */
export function summaryOf(days: readonly ShownDay[]): string {
  const of = (state: DayState) => days.filter((day) => day.state === state).length
  const parts = [
    [of('good'), 'working'],
    [of('some'), 'working whenever it was read, which was not all day'],
    [of('bad'), 'with minutes in which it did not work'],
    [of('none'), 'without a reading'],
  ] as const
  return `${parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${count(number)} ${words}`)
    .join(', ')}.`
}

const grouped = new Intl.NumberFormat('en-GB')

/** What is known of one day. */
export function dayWords({ state, good, bad }: ShownDay): string {
  if (state === 'none') return 'No reading'
  if (state === 'bad') return `Not working in ${grouped.format(bad)} of ${grouped.format(good + bad)} readings`
  return `Working in all of ${grouped.format(good)} ${good === 1 ? 'reading' : 'readings'}`
}
