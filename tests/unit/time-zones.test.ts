import { expect, test } from 'vitest'
import { formatTime, type TimeLook } from '#components/data/time-format.ts'
import { getMoments, isTimeZone, timeZones } from '#server/api/contract/time-zones.ts'

const london = 'Europe/London'

test.each([
  // Clocks go forward at 01:00 UTC on 29 March and back at 01:00 UTC on 25 October.
  ['2026-03-29T00:59:59Z', london, 'second', '29 March 2026, 00:59:59 GMT'],
  ['2026-03-29T01:00:00Z', london, 'second', '29 March 2026, 02:00:00 BST'],
  ['2026-10-25T00:30:00Z', london, 'minute', '25 October 2026, 01:30 BST'],
  ['2026-10-25T01:30:00Z', london, 'minute', '25 October 2026, 01:30 GMT'],
  ['2026-10-25T00:30:00Z', london, 'row', '25 Oct 01:30:00 BST'],
  ['2026-06-30T23:30:00Z', london, 'day', '1 July 2026'],
  ['2026-06-30T23:30:00Z', london, 'hour', '00:30 BST'],
  ['2026-06-30T23:30:05Z', 'UTC', 'clock', '23:30:05 UTC'],
  ['2026-11-21T00:05:00Z', 'America/New_York', 'minute', '20 November 2026, 19:05 GMT−5'],
  ['2026-11-21T00:05:00Z', 'Asia/Kolkata', 'minute', '21 November 2026, 05:35 GMT+5:30'],
  // An unknown time zone falls back to UTC.
  ['2026-11-21T00:05:00Z', 'Moon/Tranquillity', 'minute', '21 November 2026, 00:05 UTC'],
] as const satisfies readonly (readonly [string, string, TimeLook, string])[])('formats %s in %s as %s: %s', (at, zone, look, words) => {
  expect(formatTime(new Date(at), zone, look)).toBe(words)
})

test('accepts only current zone names, and can format times in all of them', () => {
  for (const zone of ['UTC', london, 'Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires']) expect(isTimeZone(zone), zone).toBe(true)
  for (const zone of ['', 'utc', 'Europe/Kiev', 'Europe/Londonn', 'GMT', '+01:00', "'; --"]) expect(isTimeZone(zone), zone).toBe(false)
  expect(timeZones().length).toBeGreaterThan(400)
  for (const zone of timeZones()) expect(new Intl.DateTimeFormat('en-GB', { timeZone: zone }).format(), zone).toMatch(/^[\d/]+$/)
  // All names satisfy the database constraint.
  for (const zone of timeZones()) expect(zone).toMatch(/^[A-Za-z0-9_+/-]{1,64}$/)
})

test.each([
  ['2026-07-01T09:30', london, '2026-07-01T08:30:00.000Z', '2026-07-01T08:30:00.000Z'],
  ['2026-12-01T09:30', london, '2026-12-01T09:30:00.000Z', '2026-12-01T09:30:00.000Z'],
  // One local hour occurs twice in October, and one is skipped in March.
  ['2026-10-25T01:30', london, '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['2026-03-29T01:30', london, '2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T02:00', london, '2026-03-29T01:00:00.000Z', '2026-03-29T01:00:00.000Z'],
  ['2026-11-21T09:30', 'UTC', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T23:45', 'America/New_York', '2026-11-22T04:45:00.000Z', '2026-11-22T04:45:00.000Z'],
])('converts %s in %s to %s or %s', (minute, zone, first, last) => {
  expect(getMoments(minute, zone)).toEqual({ first: new Date(first), last: new Date(last) })
})

test.each(['', '2026-11-21', '2026-13-21T09:30', '2026-11-21T09:30:00', '2026-11-21T25:00', 'tomorrow'])('rejects "%s" as a local time', (text) => {
  expect(getMoments(text, london)).toBeNull()
})
