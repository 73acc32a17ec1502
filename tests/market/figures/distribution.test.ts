import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mean, median, minInstitutions, percentile, share, unlessTooFew } from '#server/market/figures/category-figures.ts'

const anyRates = fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 200 }).map((rates) => rates.toSorted((a, b) => a - b))

/** Returns a fraction rounded half up, calculated independently of the service with exact integers. */
function rounded(numerator: number, denominator: number): number {
  const [whole, rest] = [BigInt(numerator) / BigInt(denominator), BigInt(numerator) % BigInt(denominator)]
  return Number(whole) + (2n * rest >= BigInt(denominator) ? 1 : 0)
}

const sum = (rates: readonly number[]) => rates.reduce((total, rate) => total + rate, 0)

test('rounds the exact mean half up', () => {
  expect([mean(1, 2), mean(3, 2), mean(2, 3), mean(1, 3), mean(0, 1)]).toEqual([1, 2, 1, 0, 0])
  expect(mean(0, 0)).toBeNull()
  fc.assert(
    fc.property(anyRates, (rates) => {
      expect(mean(sum(rates), rates.length)).toBe(rates.length === 0 ? null : rounded(sum(rates), rates.length))
    }),
  )
})

test('returns a median with as many rates below as above, regardless of order', () => {
  expect([median([]), median([7]), median([1, 2]), median([1, 2, 9]), median([1, 2, 4, 9])]).toEqual([null, 7, 2, 2, 3])
  fc.assert(
    fc.property(anyRates, (rates) => {
      expect(median(rates.toReversed())).toBe(median(rates))
      const middle = median(rates)
      if (middle === null) return
      expect(rates.filter((rate) => rate < middle).length).toBeLessThanOrEqual(rates.length / 2)
      expect(rates.filter((rate) => rate > middle).length).toBeLessThanOrEqual(rates.length / 2)
    }),
  )
})

test('the 90th percentile is the smallest rate that at least 90% of rates do not exceed', () => {
  expect([percentile([], 90), percentile([5], 90), percentile([1, 2], 90)]).toEqual([null, 5, 2])
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 90)).toBe(9)
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 90)).toBe(10)
  fc.assert(
    fc.property(anyRates, (rates) => {
      const found = rates.find((rate) => rates.filter((other) => other <= rate).length * 10 >= rates.length * 9)
      expect(percentile(rates, 90)).toBe(found ?? null)
    }),
  )
})

test('returns shares in basis points, rounded half up', () => {
  expect([share(0, 0), share(0, 7), share(7, 7), share(1, 3), share(2, 3), share(1, 32)]).toEqual([null, 0, 10_000, 3_333, 6_667, 313])
})

test('withholds an average of fewer than three institutions', () => {
  expect(minInstitutions).toBe(3)
  expect([0, 1, 2, 3, 4].map((institutions) => unlessTooFew(450, institutions))).toEqual([null, null, null, 450, 450])
})
