import { expect, test } from 'vitest'
import { firstAmount, offeredAmounts, paceAmounts, worth } from '#components/portal/billing/top-up-amounts.ts'
import { faultOfAmount, topUpPresetsPence } from '#server/api/contract/price-kinds.ts'

const pace = (creditsPerDay: number | null) => ({ creditsPerRate: 1, creditsPerDay })

test('offers amounts that last for 7, 14, 30 and 90 days, rounded up to two significant digits; 14 days only if £20 would not last a day', () => {
  expect(paceAmounts(pace(null))).toEqual([])
  expect(paceAmounts(pace(40))).toEqual([
    { days: 7, pence: 3_000 },
    { days: 30, pence: 12_000 },
    { days: 90, pence: 36_000 },
  ])
  expect([3_000, 12_000, 36_000].map((pence) => worth(pence / 10, pace(40)))).toEqual(['about 8 days', 'about 30 days', 'about 90 days'])
  expect(paceAmounts(pace(391)).map(({ pence }) => pence)).toEqual([28_000, 55_000, 120_000, 360_000])
  expect([391, 390, 100].map((credits) => worth(credits, pace(391)))).toEqual(['about 1 day', 'less than a day', 'less than a day'])
})

test('omits amounts that cannot be paid', () => {
  // Rounded up, a week and a month cost as much as three months.
  expect(paceAmounts(pace(1))).toEqual([{ days: 90, pence: 1_000 }])
  for (const creditsPerDay of [1, 7, 100, 999, 5_000, 1_000_000])
    for (const { days, pence } of paceAmounts(pace(creditsPerDay))) {
      expect([pence, faultOfAmount(pence), pence % 1_000]).toEqual([pence, null, 0])
      expect(pence).toBeGreaterThanOrEqual(days * creditsPerDay * 10)
      expect(Number(pence.toPrecision(2))).toBe(pence)
    }
})

test('starts with the usual amount, or with an amount for a week if the usual one would not last a day', () => {
  expect(firstAmount(pace(null))).toBe(2_000)
  expect(firstAmount(pace(200))).toBe(2_000)
  expect(firstAmount(pace(201))).toBe(15_000)
  expect(firstAmount(pace(1_000_000))).toBe(500_000)
})

test('offers four amounts: those based on recent usage, the usual one and other fixed ones', () => {
  expect(offeredAmounts(topUpPresetsPence, pace(null))).toEqual([500, 2_000, 5_000, 10_000])
  expect(offeredAmounts(topUpPresetsPence, pace(40))).toEqual([2_000, 3_000, 12_000, 36_000])
  expect(offeredAmounts(topUpPresetsPence, pace(391))).toEqual([28_000, 55_000, 120_000, 360_000])
  expect(offeredAmounts(topUpPresetsPence, pace(1))).toEqual([500, 1_000, 2_000, 5_000])
})
