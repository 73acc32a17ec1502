import { expect, test } from 'vitest'
import { namedRanges, rangeText, readUsageView, usageHref, withCustomRange, withGrain, withPreset } from '#components/portal/usage-view.ts'

test.each([
  ['2026-03-01T00:30:00Z', ['2026-03-01', '2026-03-01'], ['2026-02-01', '2026-02-28']],
  ['2027-01-15T12:00:00Z', ['2027-01-01', '2027-01-15'], ['2026-12-01', '2026-12-31']],
])('returns the ranges for this month and last month at %s', (time, thisMonth, lastMonth) => {
  const now = new Date(time)
  const ranges = namedRanges(readUsageView({ by: 'key' }, now), now).map(({ name, view: { from, to, grain, by, days } }) => [name, from, to, grain, by, days])
  expect(ranges).toEqual([
    ['This month', ...thisMonth, 'day', 'key', null],
    ['Last month', ...lastMonth, 'day', 'key', null],
  ])
})

test.each([
  ['2026-03-01T00:30:00Z', '2026-02-28'],
  ['2027-01-15T12:00:00Z', '2027-01-14'],
])('divides yesterday into hours at %s, and keeps the range in the URL', (time, day) => {
  const now = new Date(time)
  const yesterday = withPreset(readUsageView({}, now), 'yesterday', now)
  expect(yesterday).toMatchObject({ from: day, to: day, days: 'yesterday', grain: 'hour' })
  expect(usageHref(yesterday)).toContain('days=yesterday')
  expect(readUsageView({ days: 'yesterday' }, now)).toEqual(yesterday)
  expect(withGrain(yesterday, 'day', now)).toMatchObject({ days: 7, grain: 'day' })
  expect(rangeText(yesterday)).toBe('yesterday (UTC)')
})

test('turns a preset into a custom range of the same dates', () => {
  const now = new Date('2026-11-12T09:41:00Z')
  expect(withCustomRange(readUsageView({ days: '1' }, now))).toMatchObject({ from: '2026-11-11', to: '2026-11-12', days: null })
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
