import { expect, test } from 'vitest'
import { dayWords, shownDays, silentSince, summaryOf } from '#components/site/reading-words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const reading = (day: string, good: number, bad = 0) => ({ day, good, bad, readAt: new Date(`${day}T09:30:00Z`) })

test('a day that was not read is unknown, one that was read in part is not called a whole one', () => {
  const readings = [reading('2026-11-18', 1_440), reading('2026-11-19', 600), reading('2026-11-20', 1_400, 12), reading('2026-11-21', 700)]
  const days = shownDays(readings, now)
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-08-24', '2026-11-21'])
  expect(days.slice(-5).map(({ state }) => state)).toEqual(['none', 'good', 'some', 'bad', 'good'])
  expect(days.slice(-5).map(dayWords)).toEqual([
    'No reading',
    'Working in all of 1,440 readings',
    'Working in all of 600 readings',
    'Not working in 12 of 1,412 readings',
    'Working in all of 700 readings',
  ])
  expect(summaryOf(days)).toBe(
    '2 days working, 1 day working whenever it was read, which was not all day, 1 day with minutes in which it did not work, 86 days without a reading.',
  )
})

test('without any reading all ninety days are unknown', () => expect(summaryOf(shownDays([], now))).toBe('90 days without a reading.'))

test('it is said since when nobody has looked', () => {
  const last = reading('2026-11-21', 1)
  expect(silentSince([last], now)).toEqual(last.readAt)
  expect(silentSince([last], last.readAt.getTime() + 60_000)).toBeNull()
  expect(silentSince([], now)).toBeUndefined()
})
