import { expect, test } from 'vitest'
import { dayText, groupDays, shownDays, silentSince, uptimePercent, withDaysBefore } from '#components/site/uptime.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const uptimeDay = (day: string, good: number, bad = 0) => ({ day, good, bad, readAt: new Date(`${day}T09:30:00Z`) })
const uptime = [uptimeDay('2026-11-17', 30), uptimeDay('2026-11-19', 600), uptimeDay('2026-11-20', 1_400, 12), uptimeDay('2026-11-21', 700)]

test('starts on the day of the first check, and distinguishes days without data, partly checked days and days with failures', () => {
  const days = shownDays(uptime, now)
  expect(days.map(({ day }) => day)).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'])
  expect(days.map(({ state }) => state)).toEqual(['good', 'none', 'some', 'bad', 'good'])
  expect(days.map(dayText)).toEqual(['30 checks passed', 'No data', '600 checks passed', '12 of 1,412 checks failed', '700 checks passed'])
})

test('shows at most ninety days, and none before the first check', () => {
  const days = shownDays([uptimeDay('2026-08-24', 30), uptimeDay('2026-11-21', 700)], now)
  expect([days.length, days[0]?.day, days[0]?.state]).toEqual([90, '2026-08-24', 'some'])
  expect(shownDays([], now)).toEqual([])
})

test('calculates uptime from the checks that exist, rounded down', () => {
  const days = shownDays(uptime, now)
  expect([1, 2, 90].map((count) => uptimePercent(days, count))).toEqual(['100%', '99.43%', '99.56%'])
  expect(uptimePercent(shownDays([uptimeDay('2026-11-21', 999_999, 1)], now), 1)).toBe('99.99%')
  expect(uptimePercent([], 7)).toBeNull()
})

test('reports the time of the last check if checks have stopped', () => {
  const last = uptimeDay('2026-11-21', 1)
  expect(silentSince([last], now)).toEqual(last.readAt)
  expect(silentSince([last], last.readAt.getTime() + 60_000)).toBeNull()
  expect(silentSince([], now)).toBeUndefined()
})

test('always shows ninety days, without data before the first check', () => {
  for (const uptime of [[], [uptimeDay('2026-11-20', 700)], [uptimeDay('2026-08-24', 30)]]) {
    const days = shownDays(uptime, now)
    const shown = withDaysBefore(days, now)
    expect(shown).toHaveLength(90)
    expect(new Set(shown.map(({ day }) => day)).size).toBe(90)
    expect(shown[0]?.day).toBe('2026-08-24')
    expect(shown.slice(90 - days.length)).toEqual(days)
    for (const day of shown.slice(0, 90 - days.length)) expect(dayText(day)).toBe('No data yet')
  }
})

test('groups consecutive days without data, and no others', () => {
  const shown = withDaysBefore(shownDays([uptimeDay('2026-11-15', 30), ...uptime.slice(1)], now), now)
  const groups = groupDays(shown)
  expect(groups.map(({ day, state, count }) => [day, state, count])).toEqual([
    ['2026-08-24', 'before', 83],
    ['2026-11-15', 'good', 1],
    ['2026-11-16', 'none', 3],
    ['2026-11-19', 'some', 1],
    ['2026-11-20', 'bad', 1],
    ['2026-11-21', 'good', 1],
  ])
  expect(groupDays([])).toEqual([])
})
