import { expect, test } from 'vitest'
import { dayText, shownDays, silentSince, summarise } from '#components/site/uptime.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const uptimeDay = (day: string, good: number, bad = 0) => ({ day, good, bad, readAt: new Date(`${day}T09:30:00Z`) })

test('distinguishes days without data, partly checked days and days with failures', () => {
  const uptime = [uptimeDay('2026-11-18', 1_440), uptimeDay('2026-11-19', 600), uptimeDay('2026-11-20', 1_400, 12), uptimeDay('2026-11-21', 700)]
  const days = shownDays(uptime, now)
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-08-24', '2026-11-21'])
  expect(days.slice(-5).map(({ state }) => state)).toEqual(['none', 'good', 'some', 'bad', 'good'])
  expect(days.slice(-5).map(dayText)).toEqual([
    'No data',
    'All 1,440 checks passed',
    'All 600 checks passed',
    '12 of 1,412 checks failed',
    'All 700 checks passed',
  ])
  expect(summarise(days)).toBe('2 days operational, 1 day operational with incomplete data, 1 day with some downtime, 86 days without data.')
})

test('reports ninety days without data if there are no checks', () => expect(summarise(shownDays([], now))).toBe('90 days without data.'))

test('reports the time of the last check if checks have stopped', () => {
  const last = uptimeDay('2026-11-21', 1)
  expect(silentSince([last], now)).toEqual(last.readAt)
  expect(silentSince([last], last.readAt.getTime() + 60_000)).toBeNull()
  expect(silentSince([], now)).toBeUndefined()
})
