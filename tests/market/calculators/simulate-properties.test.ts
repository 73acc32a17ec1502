import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundings, monthsBetweenCredits, plainTerms, type SimulationTerms, simulate } from '#server/market/calculators/simulate.ts'

const anyAmount = fc.bigInt({ min: 1n, max: 100_000_000n })
const anyTerms: fc.Arbitrary<SimulationTerms> = fc.record({
  baseRateBp: fc.integer({ min: 0, max: 1_500 }),
  boostRateBp: fc.integer({ min: 0, max: 300 }),
  boostMonths: fc.integer({ min: 0, max: 18 }),
  compounding: fc.constantFrom(...compoundings),
  termMonths: fc.option(fc.integer({ min: 1, max: 36 })),
})
const anyMonths = fc.integer({ min: 1, max: 40 })
const few = { numRuns: 40 }

test('returns a complete and consistent schedule', () => {
  fc.assert(
    fc.property(anyAmount, anyMonths, anyTerms, (amountPence, months, terms) => {
      const { schedule, interestPence, endBalancePence, months: simulated } = simulate(amountPence, months, terms)
      expect(simulated).toBe(Math.min(months, terms.termMonths ?? months))
      expect(schedule.map(({ month }) => month)).toEqual(Array.from({ length: simulated }, (_, index) => index + 1))
      let balance = amountPence
      for (const row of schedule) {
        balance += row.interestPence
        expect(row.balancePence).toBe(balance)
        const isCredit = row.month % (monthsBetweenCredits[terms.compounding] ?? simulated) === 0 || row.month === simulated
        if (!isCredit) expect(row.interestPence).toBe(0n)
      }
      expect(endBalancePence).toBe(balance)
      expect(endBalancePence - amountPence).toBe(interestPence)
    }),
    few,
  )
})

test('more money, more months, a better rate or a longer bonus never reduces the end balance', () => {
  fc.assert(
    fc.property(anyAmount, anyMonths, anyTerms, (amountPence, months, terms) => {
      const { endBalancePence: end } = simulate(amountPence, months, terms)
      expect(simulate(amountPence + 1n, months, terms).endBalancePence > end).toBe(true)
      expect(simulate(amountPence, months + 1, terms).endBalancePence >= end).toBe(true)
      expect(simulate(amountPence, months, { ...terms, baseRateBp: terms.baseRateBp + 1 }).endBalancePence >= end).toBe(true)
      expect(simulate(amountPence, months, { ...terms, boostMonths: terms.boostMonths + 1 }).endBalancePence >= end).toBe(true)
    }),
    few,
  )
})

test('an AER pays the same over whole years at any payment frequency, apart from rounding', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 100_000_000n }), fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 5 }), (amountPence, rateBp, years) => {
      const exact = Number((amountPence * (10_000n + BigInt(rateBp)) ** BigInt(years) * 1_000n) / 10_000n ** BigInt(years)) / 1_000
      for (const compounding of compoundings) {
        const end = simulate(amountPence, years * 12, { ...plainTerms(rateBp), compounding }).endBalancePence
        // Each interest payment adds a rounding error of at most half a penny, which can at most double in five years.
        const credits = (years * 12) / (monthsBetweenCredits[compounding] ?? years * 12)
        expect(Math.abs(Number(end) - exact)).toBeLessThanOrEqual(credits + 0.01)
      }
    }),
    few,
  )
})

test('closing and reopening the account after an interest payment changes nothing', () => {
  fc.assert(
    fc.property(anyAmount, fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 24 }), (amountPence, rateBp, later) => {
      const once = simulate(amountPence, 12 + later, plainTerms(rateBp)).endBalancePence
      const first = simulate(amountPence, 12, plainTerms(rateBp)).endBalancePence
      expect(simulate(first, later, plainTerms(rateBp)).endBalancePence).toBe(once)
    }),
    few,
  )
})

test('pays interest at the exact root of the AER, rounded half up, even for very large balances', () => {
  const periods = fc.constantFrom(
    { compounding: 'half-yearly', perYear: 2n } as const,
    { compounding: 'quarterly', perYear: 4n } as const,
    { compounding: 'monthly', perYear: 12n } as const,
  )
  fc.assert(
    fc.property(
      fc.bigInt({ min: 50_000_000_000n, max: 100_000_000_000n }),
      fc.integer({ min: 1, max: 10_000 }),
      periods,
      (amountPence, rateBp, { compounding, perYear }) => {
        const months = 12 / Number(perYear)
        const end = simulate(amountPence, months, { ...plainTerms(rateBp), compounding }).endBalancePence
        // end - 1/2 <= amount × (1 + AER)^(1/n) < end + 1/2, raised to the nth power to compare integers only.
        const grown = (2n * amountPence) ** perYear * BigInt(10_000 + rateBp)
        expect((2n * end - 1n) ** perYear * 10_000n <= grown).toBe(true)
        expect(grown < (2n * end + 1n) ** perYear * 10_000n).toBe(true)
      },
    ),
    { numRuns: 250 },
  )
})
