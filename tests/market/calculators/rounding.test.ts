import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grossOfAer, halfUp, halfUpRoot, nominalRate, termGrowth, toBasisPoints, wholeRate, wholeRoot } from '#server/market/calculators/interest.ts'
import { moneyText } from '#server/market/decimal.ts'

test('rounds halves up', () => {
  expect([0n, 1n, 2n, 3n, 4n, 5n].map((value) => halfUp(value, 2n))).toEqual([0n, 1n, 1n, 2n, 2n, 3n])
  expect([4n, 5n, 14n, 15n, 25n].map((value) => halfUp(value, 10n))).toEqual([0n, 1n, 1n, 2n, 3n])
})

test('rounds integer roots down', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 80n }), fc.integer({ min: 1, max: 40 }), (value, degree) => {
      const root = wholeRoot(value, degree)
      expect(root ** BigInt(degree) <= value).toBe(true)
      expect((root + 1n) ** BigInt(degree) > value).toBe(true)
    }),
  )
})

test('rounds roots half up', () => {
  // The square root of 6.25 is 2.5, that of 6.24 is slightly less, and that of 20.25 is 4.5.
  expect(halfUpRoot(625n, 100n, 2)).toBe(3n)
  expect(halfUpRoot(624n, 100n, 2)).toBe(2n)
  expect(halfUpRoot(2025n, 100n, 2)).toBe(5n)
  expect(halfUpRoot(7n, 2n, 1)).toBe(4n)
})

test('returns the exact result if it has finitely many digits', () => {
  // 1.02 squared is 1.0404, so an AER of 4.04% is 4% gross if interest is paid half-yearly. 1.1 to the power of four is 1.4641.
  expect(grossOfAer(404, 2)).toBe(nominalRate(400))
  expect(grossOfAer(4641, 4)).toBe(nominalRate(4000))
  expect(grossOfAer(450, 1)).toBe(nominalRate(450))
  // Two years at 4.50% yield exactly 9.2025%.
  expect(termGrowth(Array.from({ length: 24 }, () => 450))).toBe((12n * wholeRate * 92_025n) / 1_000_000n)
})

test('returns a lower gross rate for more frequent interest payments', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (aerBp) => {
      const [yearly, halfYearly, quarterly, monthly] = [1, 2, 4, 12].map((credits) => grossOfAer(aerBp, credits))
      expect(yearly).toBe(nominalRate(aerBp))
      expect((halfYearly ?? 0n) < (yearly ?? 0n)).toBe(true)
      expect((quarterly ?? 0n) < (halfYearly ?? 0n)).toBe(true)
      expect((monthly ?? 0n) < (quarterly ?? 0n)).toBe(true)
      expect(toBasisPoints(nominalRate(aerBp))).toBe(aerBp)
    }),
    { numRuns: 25 },
  )
})

test('formats any number of pence with two decimals', () => {
  expect([0n, 5n, 50n, 100n, 123_456n].map(moneyText)).toEqual(['0.00', '0.05', '0.50', '1.00', '1234.56'])
  expect(moneyText(10n ** 26n + 7n)).toBe('1000000000000000000000000.07')
})
