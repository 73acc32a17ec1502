/** Parses publishers' date formats, and converts between UTC and London time. Parsers return ISO dates, or undefined if the text isn't a date. */

import { dayMs, isoDay, parseDay } from '#server/api/contract/dates.ts'
import { clockFormat, getClock } from '#server/api/contract/time-zones.ts'

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const longMonths = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']

/** Returns the ISO date for a year, month and day; undefined if the month has no such day. */
function toDay(year: string, month: number, day: string): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

/** True for an ISO date that exists, from 1900 to 2099. */
export const isDay = (text: string): boolean => /^(?:19|20)/.test(text) && parseDay(text) !== null

/** Parses `18 Dec 2025` or `21 October 2026`. Two-digit years are rejected as ambiguous. */
export function parseLongDate(text: string): string | undefined {
  const match = /^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4})$/.exec(text)
  if (!match) return undefined
  const [, day = '', word = '', year = ''] = match
  const month = Math.max(shortMonths.indexOf(word.toLowerCase()), longMonths.indexOf(word.toLowerCase()))
  return month < 0 ? undefined : toDay(year, month + 1, day)
}

/** Parses `16-09-2026`. */
export function parseDashedDate(text: string): string | undefined {
  const match = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text)
  return match ? toDay(match[3] ?? '', Number(match[2]), match[1] ?? '') : undefined
}

/** Parses a month such as `2026 AUG`. Returns its last day. */
export function toMonthEnd(text: string): string | undefined {
  const match = /^(\d{4}) ([A-Z]{3})$/.exec(text)
  const month = match ? shortMonths.indexOf((match[2] ?? '').toLowerCase()) : -1
  return month < 0 ? undefined : isoDay(Date.UTC(Number(match?.[1]), month + 1, 0))
}

let londonClock: Intl.DateTimeFormat | null = null

/** Returns the wall-clock time in London as if it were UTC. The formatter is created on first use: loading calendar data takes 50 ms, too long for start-up. */
function londonTime(at: number): number {
  londonClock ??= clockFormat('Europe/London')
  return getClock(londonClock, at)
}

/** Returns the date in London. In summer, 23:00 UTC is already the next day there. */
export function londonDay(at: number): string {
  return isoDay(londonTime(at))
}

/** Returns the start of a day in London, given midnight UTC of its date. Clocks change at 01:00 UTC, so the UTC offset is the same at both midnights. */
export const londonMidnight = (midnight: number): number => midnight - (londonTime(midnight) - midnight)

const morningMs = 7.5 * 3_600_000

/**
 * Returns the time of a wall-clock time in London, given in milliseconds since midnight, on a date given as midnight UTC. Clocks change at 01:00 UTC, so times
 * from 03:00 on occur exactly once a day.
 */
function timeOn(midnight: number, timeOfDayMs: number): number {
  const guess = midnight + timeOfDayMs
  return guess - (londonTime(guess) - guess)
}

function lastUkTime(at: number, timeOfDayMs: number): number {
  const midnight = Math.floor(londonTime(at) / dayMs) * dayMs
  const today = timeOn(midnight, timeOfDayMs)
  return today <= at ? today : timeOn(midnight - dayMs, timeOfDayMs)
}

/** Returns the next occurrence after `at` of a wall-clock time in London, given in milliseconds since midnight and not before 03:00. */
export function nextUkTime(at: number, timeOfDayMs: number): number {
  return lastUkTime(lastUkTime(at, timeOfDayMs) + 26 * 3_600_000, timeOfDayMs)
}

/** Returns the last 07:30 in London at or before a time. */
export const lastUkMorning = (at: number): number => lastUkTime(at, morningMs)

/** Returns the next 07:30 in London after a time; 23 to 25 hours after the previous one. */
export const nextUkMorning = (at: number): number => nextUkTime(at, morningMs)

/** Returns the number of whole days from an ISO date to a time. */
export function daysSince(date: string, at: number): number {
  return Math.floor((at - Date.parse(`${date}T00:00:00Z`)) / dayMs)
}
