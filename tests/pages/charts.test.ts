import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stackedBars, toSeries, toValues } from '#components/charts/bars.ts'
import { groupColours } from '#components/charts/colours.ts'
import { lines, steps } from '#components/charts/lines.ts'
import { axisLabels, periodName } from '#components/charts/time-axis.ts'
import { keyUse } from '#components/portal/key-use.ts'
import { errorTone } from '#components/portal/usage-view.ts'

const hours = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(`${first}:00:00Z`) + index * 3_600_000).toISOString().slice(0, 13))
const days = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10))
const texts = (periods: readonly string[], zone = 'UTC') => axisLabels(periods, zone).map(({ text }) => text)

test('draws a balance as steps, with zero always in range', () => {
  const chart = steps([200, 100])
  expect(chart?.ticks.at(0)).toEqual({ value: 0, top: 100 })
  expect(chart?.ticks.at(-1)).toEqual({ value: 200, top: 0 })
  expect(chart?.paths).toEqual(['M0,0L50,0L50,50L100,50L100,50'])
})

test('draws a debt below zero', () => {
  const chart = steps([100, -35])
  const zero = chart?.toTop(0) ?? 100
  expect(chart?.ticks[0]?.value).toBeLessThan(-34)
  expect(zero).toBeLessThan(100)
  expect(chart?.toTop(-35)).toBeGreaterThan(zero)
})

test('returns null if there is nothing to draw', () => {
  expect(steps([0, 0])).toBeNull()
  expect(lines([[null, null]])).toBeNull()
  expect(
    stackedBars([
      [0, 0],
      [0, 0],
    ]),
  ).toBeNull()
})

test('breaks a line where a period has no value', () => {
  const chart = lines([[10, null, 20, 30]])
  expect(chart?.paths[0]?.match(/M/g)).toHaveLength(2)
})

test('stacks bars without gaps or overlaps, within the scale', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(1_000_000), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 40 }), (values) => {
      const chart = stackedBars(values)
      expect(chart === null).toBe(values.flat().every((value) => value === 0))
      for (const [index, { barLeft, barWidth, left, width, total, pieces }] of (chart?.bars ?? []).entries()) {
        expect(total).toBe(values[index]?.reduce((sum, value) => sum + value, 0))
        expect(barLeft).toBeGreaterThanOrEqual(left)
        expect(barLeft + barWidth).toBeLessThanOrEqual(left + width + 1e-9)
        let bottom = 100
        for (const { top, height } of pieces) {
          expect(top + height).toBeCloseTo(bottom, 6)
          expect(top).toBeGreaterThanOrEqual(-1e-9)
          bottom = top
        }
      }
      for (const { value, top } of chart?.ticks ?? []) expect([Number.isInteger(value), top >= 0 && top <= 100]).toEqual([true, true])
    }),
  )
})

test('gives the four largest groups a series each and merges the rest into "Other"', () => {
  const groups = [5, 1, 9, 7, 3, 2, 4, 8].map((calls, index) => ({ id: `g${index}`, name: `Group ${index}`, calls }))
  const series = toSeries(groups, 'calls')
  expect(series.map(({ name, total }) => [name, total])).toEqual([
    ['Group 2', 9],
    ['Group 7', 8],
    ['Group 3', 7],
    ['Group 0', 5],
    ['Other', 10],
  ])
  expect(toValues(groups, series, 'calls')).toEqual([9, 8, 7, 5, 10])
  expect(toSeries(groups, 'calls', (count) => `${count} more`).at(-1)?.name).toBe('4 more')
})

test('names every group if only one would be left over', () => {
  const groups = [5, 9, 7, 4, 8].map((calls, index) => ({ id: `g${index}`, name: `Group ${index}`, calls }))
  expect(toSeries(groups, 'calls').map(({ name }) => name)).toEqual(['Group 1', 'Group 4', 'Group 2', 'Group 0', 'Group 3'])
  expect(toSeries([...groups, { id: 'other', name: 'Other', calls: 1 }], 'calls').at(-1)).toEqual({ id: 'other', name: 'Other', total: 5 })
})

test('gives an endpoint the same colour in every chart, whatever its rank', () => {
  const swatches = (ids: readonly string[]) => new Map(groupColours(ids.map((id) => ({ id }))).map(({ swatch }, index) => [ids[index], swatch]))
  const first = swatches(['rates.list', 'rates.get', 'history.list', 'providers.list', 'other'])
  expect(new Set(first.values()).size).toBe(5)
  expect(first.get('other')).toBe('bg-chart-other')
  const ranked = swatches(['providers.list', 'reference.cards', 'rates.list', 'rates.get'])
  expect(new Set(ranked.values()).size).toBe(4)
  for (const id of ['rates.list', 'rates.get', 'providers.list']) expect(ranked.get(id)).toBe(first.get(id))
  // Two ids that prefer the same colour get different ones, regardless of their order.
  const all = Array.from({ length: 6 }, (_, index) => `key_${index}`)
  expect(new Set(swatches(all).values()).size).toBe(6)
  expect(swatches(all.toReversed())).toEqual(new Map([...swatches(all)].toReversed()))
})

test('labels hours at round times of the time zone, and midnight with the date', () => {
  expect(texts(hours('2026-11-26T08', 24))).toEqual(['09:00', '12:00', '15:00', '18:00', '21:00', '27 Nov', '03:00', '06:00'])
  expect(texts(hours('2026-11-26T08', 24), 'America/New_York')).toContain('27 Nov')
  expect(texts(hours('2026-11-26T08', 24), 'Asia/Kolkata')).toEqual(['15:30', '18:30', '21:30', '27 Nov', '03:30', '06:30', '09:30', '12:30'])
})

test('labels days and months', () => {
  expect(texts(days('2026-11-21', 7))).toEqual(['21 Nov', '22 Nov', '23 Nov', '24 Nov', '25 Nov', '26 Nov', '27 Nov'])
  expect(texts(['2026-11-27'])).toEqual(['27 Nov'])
  expect(texts(['2025-12', '2026-01', '2026-02'])).toEqual(['Dec', 'Jan 2026', 'Feb'])
  expect(texts(days('2026-10-29', 30))).toEqual(['30 Oct', '3 Nov', '7 Nov', '11 Nov', '15 Nov', '19 Nov', '23 Nov', '27 Nov'])
  expect(texts(days('2026-10-30', 30)).at(-1)).toBe('28 Nov')
  expect(axisLabels(days('2026-10-29', 30), 'UTC').filter(({ isMinor }) => !isMinor).length).toBeLessThanOrEqual(5)
})

test('names hours in the time zone, and days and months in UTC', () => {
  expect(periodName('2026-07-21T23', 'Europe/London')).toBe('22 Jul, 00:00–01:00 BST')
  expect(periodName('2026-07-21', 'Pacific/Auckland')).toBe('Tuesday 21 July')
  expect(periodName('2026-07', 'Pacific/Auckland')).toBe('July 2026')
})

test('returns the daily usage of a key, or null if it is merged into "other"', () => {
  const [one, other] = [
    { id: 'key_a', calls: 2, credits: 1 },
    { id: 'other', calls: 9, credits: 9 },
  ]
  const report = { periods: [{ parts: [one] }, { parts: [other] }] }
  const usage = keyUse({ ...report, groups: [one, other] })
  expect(usage('key_a')).toEqual([one, { calls: 0, credits: 0 }])
  expect(usage('key_b')).toBeNull()
  expect(keyUse({ ...report, groups: [one] })('key_b')).toEqual([
    { calls: 0, credits: 0 },
    { calls: 0, credits: 0 },
  ])
})

test('highlights an error rate from 5% errors of any kind, and from 1% server errors', () => {
  const tone = (calls: number, rejected: number, failed: number) => errorTone({ calls, rejected, failed })
  expect([tone(0, 0, 0), tone(1_000, 49, 0), tone(1_000, 40, 9)]).toEqual([undefined, undefined, undefined])
  expect([tone(1_000, 50, 0), tone(1_000, 45, 9)]).toEqual(['caution', 'caution'])
  expect([tone(1_000, 0, 10), tone(1, 0, 1)]).toEqual(['danger', 'danger'])
})
