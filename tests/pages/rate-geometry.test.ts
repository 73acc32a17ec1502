import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChartStep, linePath, monthTicks, rateChart } from '#components/site/rate-geometry.ts'

const step = (date: string, rate: string | null, boostRate = '0.00'): ChartStep => {
  const baseRate = rate === null ? '0.00' : (Number(rate) - Number(boostRate)).toFixed(2)
  return { date, rate, baseRate, boostRate }
}

const year = { from: '2025-11-21', to: '2026-11-21' }

test('draws a rate as a horizontal line until it changes, at the right height', () => {
  const chart = rateChart({ ...year, steps: [step('2024-03-01', '4.00'), step('2026-05-22', '4.50')] })
  expect(chart?.ticks.map(({ rate }) => rate)).toEqual(['4.00', '4.10', '4.20', '4.30', '4.40', '4.50'])
  const [first, second] = chart?.treads ?? []
  // The rate changes after 182 of 365 days.
  expect(first).toMatchObject({ left: 0, right: expect.closeTo(49.86, 1), top: 100, isChange: false, isJoined: false })
  expect(second).toMatchObject({ left: first?.right, right: 100, top: 0, isChange: true, isJoined: true })
  expect(chart?.hasBonus).toBe(false)
})

test('breaks the line while a product is withdrawn', () => {
  const chart = rateChart({ ...year, steps: [step('2025-01-01', '4.00'), step('2026-03-01', null), step('2026-06-01', '3.90')] })
  expect(chart?.treads.map(({ isJoined }) => isJoined)).toEqual([false, false])
  expect(linePath(chart?.treads ?? []).match(/M/g)).toHaveLength(2)
})

test('draws a bonus between the full rate and the base rate', () => {
  const chart = rateChart({ ...year, steps: [step('2025-01-01', '4.50', '1.25')] })
  expect(chart?.hasBonus).toBe(true)
  const [tread] = chart?.treads ?? []
  expect(tread?.baseTop).toBeGreaterThan(tread?.top ?? 100)
})

test('returns null without a rate', () => {
  expect(rateChart({ ...year, steps: [] })).toBeNull()
  expect(rateChart({ ...year, steps: [step('2025-01-01', null)] })).toBeNull()
})

const anySteps = fc
  .uniqueArray(
    fc.record({ day: fc.integer({ min: -400, max: 365 }), rate: fc.option(fc.integer({ min: 0, max: 10_000 })), boost: fc.integer({ min: 0, max: 300 }) }),
    {
      selector: ({ day }) => day,
      maxLength: 12,
    },
  )
  .map((steps) =>
    steps
      .toSorted((a, b) => a.day - b.day)
      .map(({ day, rate, boost }) => {
        const date = new Date(Date.parse(`${year.from}T00:00:00Z`) + day * 86_400_000).toISOString().slice(0, 10)
        const bonus = Math.min(boost, rate ?? 0)
        return step(date, rate === null ? null : (rate / 100).toFixed(2), (bonus / 100).toFixed(2))
      }),
  )

const isWithin = (place: number) => place >= 0 && place <= 100

test('draws any history within the chart and in order, with two to seven ticks', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const chart = rateChart({ ...year, steps })
      expect(chart === null).toBe(steps.every(({ rate }) => rate === null))
      const { treads = [], ticks = [{}, {}], hasBonus = false } = chart ?? {}
      expect([2, 3, 4, 5, 6, 7]).toContain(ticks.length)
      for (const { left, right, top, baseTop } of treads) {
        expect([left, right, top, hasBonus ? baseTop : top].every(isWithin)).toBe(true)
        expect([right >= left, baseTop >= top]).toEqual([true, true])
      }
      const edges = treads.flatMap(({ left, right }) => [left, right])
      expect(edges).toEqual(edges.toSorted((one, other) => one - other))
    }),
  )
})

test('labels the quarters within the year', () => {
  expect(monthTicks(year.from, year.to).map(({ date }) => date)).toEqual(['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'])
  for (const { left } of monthTicks('2024-02-29', '2025-02-28')) expect(left > 0 && left <= 100).toBe(true)
})
