import { expect, test } from 'vitest'
import { balanceChart } from '#components/portal/chart-geometry.ts'
import { keyUse } from '#components/portal/key-use.ts'

const days = (...balances: number[]) =>
  balances.map((balanceCredits, index) => ({ day: `2026-11-0${index + 1}`, balanceCredits, movedCredits: 0, toppedUpCredits: 0 }))

test('draws a balance as steps, with zero always in range', () => {
  const chart = balanceChart(days(200, 100))
  expect(chart?.ticks).toEqual([
    { value: 0, top: 100 },
    { value: 100, top: 50 },
    { value: 200, top: 0 },
  ])
  expect(chart?.line).toBe('M0 0H50L50 50H100')
})

test('draws a debt below zero', () => {
  const chart = balanceChart(days(100, -35))
  expect(chart?.ticks[0]?.value).toBeLessThan(-34)
  expect(chart?.ticks.find(({ value }) => value === 0)?.top).toBeLessThan(100)
  expect(chart?.steps[1]?.top).toBeGreaterThan(chart?.ticks.find(({ value }) => value === 0)?.top ?? 100)
})

test('returns null if the balance was always zero', () => expect(balanceChart(days(0, 0))).toBeNull())

test('returns the daily usage of a key, or null if it is merged into "other"', () => {
  const [one, other] = [
    { id: 'key_a', calls: 2, credits: 1 },
    { id: 'other', calls: 9, credits: 9 },
  ]
  const report = {
    days: [
      { day: '2026-11-01', parts: [one] },
      { day: '2026-11-02', parts: [other] },
    ],
  }
  const usage = keyUse({ ...report, groups: [one, other] })
  expect(usage('key_a')).toEqual([one, { calls: 0, credits: 0 }])
  expect(usage('key_b')).toBeNull()
  expect(keyUse({ ...report, groups: [one] })('key_b')).toEqual([
    { calls: 0, credits: 0 },
    { calls: 0, credits: 0 },
  ])
})
