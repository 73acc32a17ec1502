import { expect, test } from 'vitest'
import { localMoment } from '#components/data/time-format.ts'

test.each([
  ['2026-11-21T23:42:00Z', 'Europe/London', '21 November 2026, 23:42 in Europe/London'],
  ['2026-07-21T23:42:00Z', 'Europe/London', '22 July 2026, 00:42 in Europe/London'],
  ['2026-11-21T00:05:00Z', 'America/New_York', '20 November 2026, 19:05 in America/New York'],
])("formats %s in the reader's zone, %s", (at, zone, words) => {
  expect(localMoment(new Date(at), zone)).toBe(words)
})

test("defaults to the browser's time zone", () => {
  expect(localMoment(new Date())).toContain(new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' '))
})
