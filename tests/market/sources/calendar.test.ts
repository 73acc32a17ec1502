import { expect, test } from 'vitest'
import { daysSince, isDay, lastUkMorning, londonDay, parseDashedDate, parseLongDate, toMonthEnd } from '#server/market/sources/calendar.ts'

const at = (text: string) => Date.parse(text)
const morning = (text: string) => new Date(lastUkMorning(at(text))).toISOString()

test('parses the date formats that publishers use', () => {
  expect(['18 Dec 2025', '1 jan 2026', '21 October 2026', '29 Feb 2024', '29 Feb 2025', '18 Dec 25', '18 Dez 2025', '2025-12-18'].map(parseLongDate)).toEqual([
    '2025-12-18',
    '2026-01-01',
    '2026-10-21',
    '2024-02-29',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(['16-09-2026', '31-02-2026', '16/09/2026'].map(parseDashedDate)).toEqual(['2026-09-16', undefined, undefined])
  expect(['2026 AUG', '2024 FEB', '2026 Q1', '2026', '2026 AUX'].map(toMonthEnd)).toEqual(['2026-08-31', '2024-02-29', undefined, undefined, undefined])
  expect(['2026-09-30', '2026-09-31', '26-09-30', '1899-01-01'].map(isDay)).toEqual([true, false, false, false])
})

test('distinguishes London dates from UTC dates', () => {
  expect(londonDay(at('2026-09-15T22:59:59Z'))).toBe('2026-09-15')
  expect(londonDay(at('2026-09-15T23:00:00Z'))).toBe('2026-09-16')
  expect(londonDay(at('2026-12-15T23:30:00Z'))).toBe('2026-12-15')
})

test('counts age in whole days', () => {
  expect(daysSince('2026-09-29', at('2026-09-29T23:59:59Z'))).toBe(0)
  expect(daysSince('2026-09-29', at('2026-10-05T00:00:00Z'))).toBe(6)
})

test('finds 07:30 in London: 07:30 UTC in winter, 06:30 UTC in summer', () => {
  expect(morning('2026-11-21T07:29:59Z')).toBe('2026-11-20T07:30:00.000Z')
  expect(morning('2026-11-21T07:30:00Z')).toBe('2026-11-21T07:30:00.000Z')
  expect(morning('2026-07-01T06:29:59Z')).toBe('2026-06-30T06:30:00.000Z')
  expect(morning('2026-07-01T06:30:00Z')).toBe('2026-07-01T06:30:00.000Z')
  expect(morning('2026-07-01T23:30:00Z')).toBe('2026-07-01T06:30:00.000Z')
  expect(morning('2026-01-01T00:00:00Z')).toBe('2025-12-31T07:30:00.000Z')
})

test('on clock-change days, 07:30 is 23 or 25 hours after the previous one', () => {
  // Clocks go forward at 01:00 UTC on 29 March 2026.
  expect(morning('2026-03-28T12:00:00Z')).toBe('2026-03-28T07:30:00.000Z')
  expect(morning('2026-03-29T00:30:00Z')).toBe('2026-03-28T07:30:00.000Z')
  expect(morning('2026-03-29T01:00:00Z')).toBe('2026-03-28T07:30:00.000Z')
  expect(morning('2026-03-29T06:29:59Z')).toBe('2026-03-28T07:30:00.000Z')
  expect(morning('2026-03-29T06:30:00Z')).toBe('2026-03-29T06:30:00.000Z')
  expect(morning('2026-03-30T06:30:00Z')).toBe('2026-03-30T06:30:00.000Z')
  // Clocks go back at 01:00 UTC on 25 October 2026.
  expect(morning('2026-10-24T23:30:00Z')).toBe('2026-10-24T06:30:00.000Z')
  expect(morning('2026-10-25T00:59:00Z')).toBe('2026-10-24T06:30:00.000Z')
  expect(morning('2026-10-25T01:00:00Z')).toBe('2026-10-24T06:30:00.000Z')
  expect(morning('2026-10-25T06:30:00Z')).toBe('2026-10-24T06:30:00.000Z')
  expect(morning('2026-10-25T07:30:00Z')).toBe('2026-10-25T07:30:00.000Z')
})

test('at any time, finds a 07:30 in London within the previous 25 hours', () => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' })
  for (let now = at('2026-01-01T00:15:00Z'); now < at('2028-01-01T00:00:00Z'); now += 4.25 * 3_600_000) {
    const found = lastUkMorning(now)
    expect(now - found).toBeGreaterThanOrEqual(0)
    expect(now - found).toBeLessThan(25 * 3_600_000)
    expect(clock.format(found)).toBe('07:30')
  }
})
