/** Days as publishers write them. All results are ISO dates; undefined stands for a text that names no day. */

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const longMonths = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']

const dayMs = 86_400_000

/** The day with this number of a month, if the month has it. */
function dayOf(year: string, month: number, day: string): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

/** Whether a text is an ISO date of a day that exists. */
export function isDay(text: string): boolean {
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** `18 Dec 2025` or `21 October 2026`. A year of two digits is refused: it would have to be guessed. */
export function dayFromWords(text: string): string | undefined {
  const match = /^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4})$/.exec(text)
  if (!match) return undefined
  const [, day = '', word = '', year = ''] = match
  const month = Math.max(shortMonths.indexOf(word.toLowerCase()), longMonths.indexOf(word.toLowerCase()))
  return month < 0 ? undefined : dayOf(year, month + 1, day)
}

/** `16-09-2026`. */
export function dayFromDashes(text: string): string | undefined {
  const match = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text)
  return match ? dayOf(match[3] ?? '', Number(match[2]), match[1] ?? '') : undefined
}

/** The last day of `2026 AUG`. */
export function monthEndOf(text: string): string | undefined {
  const match = /^(\d{4}) ([A-Z]{3})$/.exec(text)
  const month = match ? shortMonths.indexOf((match[2] ?? '').toLowerCase()) : -1
  return month < 0 ? undefined : new Date(Date.UTC(Number(match?.[1]), month + 1, 0)).toISOString().slice(0, 10)
}

let madeClock: Intl.DateTimeFormat | null = null

/** Made with its first use: the calendars behind it take a twentieth of a second to load, which a gateway that starts need not wait for. */
function londonClock(): Intl.DateTimeFormat {
  madeClock ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return madeClock
}

/** What the clocks in London show at a moment, read as if it were UTC. */
export function londonTime(at: number): number {
  const parts = Object.fromEntries(
    londonClock()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return Date.parse(`${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:00Z`)
}

/** The day it is in London at a moment: 23:00 UTC of a summer day is the next one. */
export function londonDay(at: number): string {
  return new Date(londonTime(at)).toISOString().slice(0, 10)
}

const morningMs = 7.5 * 3_600_000

/** 07:30 in London on the day that begins at this UTC midnight. The clocks change at 01:00 UTC, so that the hour exists once each day. */
function morningOn(midnight: number): number {
  const guess = midnight + morningMs
  return guess - (londonTime(guess) - guess)
}

/** The last 07:30 in London, at or before a moment. */
export function lastUkMorning(at: number): number {
  const midnight = Math.floor(londonTime(at) / dayMs) * dayMs
  const today = morningOn(midnight)
  return today <= at ? today : morningOn(midnight - dayMs)
}

/** The next 07:30 in London, after a moment. From one to the next it is 23 to 25 hours. */
export function nextUkMorning(at: number): number {
  return lastUkMorning(lastUkMorning(at) + 26 * 3_600_000)
}

/** Whole days from an ISO date to a moment. */
export function daysSince(date: string, at: number): number {
  return Math.floor((at - Date.parse(`${date}T00:00:00Z`)) / dayMs)
}
