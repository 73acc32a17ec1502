import { expect, test } from 'vitest'
import { namedRanges, rangeText, readUsageView, usageHref, withGrain, withPreset } from '#components/portal/usage-view.ts'

test.each([
  ['2026-03-01T00:30:00Z', '2026-02-28', ['2026-03-01', '2026-03-01'], ['2026-02-01', '2026-02-28']],
  ['2027-01-15T12:00:00Z', '2027-01-14', ['2027-01-01', '2027-01-15'], ['2026-12-01', '2026-12-31']],
])('names the ranges yesterday, this month and last month at %s', (time, yesterday, thisMonth, lastMonth) => {
  const now = new Date(time)
  const ranges = namedRanges(readUsageView({ by: 'key' }, now), now).map(({ name, view: { from, to, grain, by, days } }) => [name, from, to, grain, by, days])
  expect(ranges).toEqual([
    ['Yesterday', yesterday, yesterday, 'hour', 'key', null],
    ['This month', ...thisMonth, 'day', 'key', null],
    ['Last month', ...lastMonth, 'day', 'key', null],
  ])
})

test('divides today into hours, and keeps the range in the URL', () => {
  const now = new Date('2026-11-12T09:41:00Z')
  const today = withPreset(readUsageView({}, now), 0, now)
  expect(today).toMatchObject({ from: '2026-11-12', to: '2026-11-12', days: 0, grain: 'hour' })
  expect(usageHref(today)).toContain('days=0')
  expect(readUsageView({ days: '0' }, now)).toEqual(today)
  expect(withGrain(today, 'day', now)).toMatchObject({ days: 7, grain: 'day' })
  expect(rangeText(today)).toBe('today (UTC)')
})
