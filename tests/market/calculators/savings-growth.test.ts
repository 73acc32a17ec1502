import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateRegularSaver } from '#server/api/endpoints/calculators/calculate-regular-saver.endpoint.ts'
import { calculateSavingsGrowth } from '#server/api/endpoints/calculators/calculate-savings-growth.endpoint.ts'
import { inTodaysMoney, regularSaver, savingsGrowth } from '#server/market/calculators/savings-growth.ts'
import { plainTerms, simulate } from '#server/market/calculators/simulate.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, getRefusal } from './call-endpoint.ts'

cites('calculators/regular-saver-parameters', 'calculators/regular-saver-interest', 'calculators/savings-growth', 'calculators/savings-growth-parameter-names')

const growth = (query: string) => callEndpoint(calculateSavingsGrowth, query)
const saver = (query: string) => callEndpoint(calculateRegularSaver, query)

test('calculates the growth of an amount by year', async () => {
  expect(await growth('amount=10000&rate=4.5&months=18')).toEqual({
    amount: '10000.00',
    monthly: '0.00',
    rate: '4.50',
    months: 18,
    compounding: 'annually',
    totalPaidIn: '10000.00',
    totalInterest: '685.13',
    endBalance: '10685.13',
    realEndBalance: null,
    schedule: [
      { year: 1, paidIn: '10000.00', interest: '450.00', balance: '10450.00' },
      { year: 2, paidIn: '0.00', interest: '235.13', balance: '10685.13' },
    ],
    notes: [
      'The rate stays the same and compounds annually: interest is credited every twelve months, and pro rata for a partial year at the end.',
      'Monthly deposits are made at the start of each month and earn interest from then on. A month is a twelfth of a year.',
      'Interest accrues unrounded and is rounded half up to the penny at each credit. Tax is not deducted.',
    ],
  })
})

test('rounds each yearly interest payment, with and without monthly deposits', async () => {
  expect(await growth('amount=10000&rate=4.50&months=60')).toMatchObject({ endBalance: '12461.81' })
  const data = await growth('amount=1000&monthly=100&rate=5&months=24')
  // Year 1 earns 1,000 × 5% + 100 × 5% ÷ 12 × 78; year 2 applies the same formula to 2,282.50.
  expect(data).toMatchObject({ totalPaidIn: '3400.00', totalInterest: '229.13', endBalance: '3629.13' })
  expect(data['schedule']).toEqual([
    { year: 1, paidIn: '2200.00', interest: '82.50', balance: '2282.50' },
    { year: 2, paidIn: '1200.00', interest: '146.63', balance: '3629.13' },
  ])
})

test('deflates the end balance to today’s money', async () => {
  // After two years of 2.5% inflation, 10,506.25 is worth 10,000 in today’s money.
  expect(await growth('amount=10000&rate=2.50&months=24&inflation=2.5')).toMatchObject({ endBalance: '10506.25', realEndBalance: '10000.00' })
  expect(await growth('amount=10000&rate=0&months=12&inflation=100')).toMatchObject({ realEndBalance: '5000.00' })
  expect(inTodaysMoney(1_000_001n, 0, 7)).toBe(1_000_001n)
  // Inflation of 4.04% a year is 2% over half a year.
  expect(inTodaysMoney(1_020_000n, 404, 6)).toBe(1_000_000n)
})

test('pays 136.50 on 300 a month for a year at 7%', async () => {
  const data = await saver('monthly=300&rate=7&months=12')
  expect(data).toMatchObject({
    monthly: '300.00',
    rate: '7.00',
    months: 12,
    totalPaidIn: '3600.00',
    totalInterest: '136.50',
    endBalance: '3736.50',
    averageBalance: '1950.00',
    effectiveReturn: '3.79',
  })
  expect(data['basis']).toContain('monthly × rate ÷ 12 × n(n + 1) ÷ 2')
  const schedule = data['schedule'] as { depositInterest: string }[]
  expect(schedule[0]).toEqual({ month: 1, deposit: '300.00', depositInterest: '21.00', interest: '0.00', balance: '300.00' })
  expect(schedule[11]).toEqual({ month: 12, deposit: '300.00', depositInterest: '1.75', interest: '136.50', balance: '3736.50' })
  const hundredths = schedule.map(({ depositInterest }) => Number(depositInterest.replace('.', '')))
  expect(hundredths.reduce((sum, value) => sum + value, 0)).toBe(13_650)
})

test('compounds a regular saver’s interest after a year', async () => {
  const data = await saver('monthly=250&rate=5&months=24')
  expect(data).toMatchObject({ totalInterest: '316.56', endBalance: '6316.56' })
  expect((data['schedule'] as unknown[])[12]).toEqual({ month: 13, deposit: '250.00', depositInterest: '12.50', interest: '0.00', balance: '3331.25' })
})

test('names the invalid parameter in the error', async () => {
  expect(await getRefusal(calculateSavingsGrowth, 'rate=4&months=1')).toBe('invalid_request: "amount" is missing.')
  expect(await getRefusal(calculateSavingsGrowth, 'amount=1&rate=4&months=601')).toContain('"months" must be a whole number from 1 to 600')
  expect(await getRefusal(calculateSavingsGrowth, 'amount=1&rate=-1&months=1')).toContain('"rate" must be a percentage')
  expect(await getRefusal(calculateRegularSaver, 'monthly=0&rate=4&months=1')).toContain('"monthly" must be an amount in pounds from 0.01')
  expect(await getRefusal(calculateRegularSaver, 'monthly=1&months=1')).toBe('invalid_request: "rate" is missing.')
})

test('accepts the largest values', async () => {
  expect(await growth('amount=1000000000&monthly=1000000000&rate=100&months=600')).toMatchObject({ totalPaidIn: '601000000000.00' })
  expect(await saver('monthly=0.01&rate=0&months=360')).toMatchObject({ totalInterest: '0.00', endBalance: '3.60', effectiveReturn: '0.00' })
})

const anyPence = fc.bigInt({ min: 0n, max: 100_000_000n })
const anyRate = fc.integer({ min: 0, max: 1_500 })
const anyMonths = fc.integer({ min: 1, max: 72 })

test('without monthly deposits, matches /simulate; without an opening amount, matches the regular saver', () => {
  fc.assert(
    fc.property(anyPence, anyRate, anyMonths, (pence, rateBp, months) => {
      const amount = pence + 1n
      const alone = savingsGrowth({ amountPence: amount, monthlyPence: 0n, rateBp, months })
      expect(alone.endBalancePence).toBe(simulate(amount, months, plainTerms(rateBp)).endBalancePence)
      const monthly = savingsGrowth({ amountPence: 0n, monthlyPence: amount, rateBp, months })
      expect(monthly.endBalancePence).toBe(regularSaver({ monthlyPence: amount, rateBp, months }).endBalancePence)
    }),
  )
})

test('returns yearly figures that add up to the total', () => {
  fc.assert(
    fc.property(anyPence, anyPence, anyRate, anyMonths, (amountPence, monthlyPence, rateBp, months) => {
      const { years, paidInPence, interestPence, endBalancePence } = savingsGrowth({ amountPence, monthlyPence, rateBp, months })
      expect(years).toHaveLength(Math.ceil(months / 12))
      expect(years.reduce((sum, year) => sum + year.paidInPence, 0n)).toBe(paidInPence)
      expect(years.reduce((sum, year) => sum + year.interestPence, 0n)).toBe(interestPence)
      expect(years.at(-1)?.balancePence).toBe(endBalancePence)
    }),
  )
})

test('splitting an amount in two changes the interest by at most a penny', () => {
  fc.assert(
    fc.property(anyPence, anyPence, anyPence, anyRate, fc.integer({ min: 1, max: 12 }), (first, second, monthlyPence, rateBp, months) => {
      const interest = (amountPence: bigint, monthly: bigint) => savingsGrowth({ amountPence, monthlyPence: monthly, rateBp, months }).interestPence
      const apart = interest(first, monthlyPence) + interest(second, 0n)
      const together = interest(first + second, monthlyPence)
      expect([-1n, 0n, 1n]).toContain(together - apart)
    }),
  )
})

test('pays a regular saver exact first-year interest, rounded half up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), anyRate, fc.integer({ min: 1, max: 12 }), (monthly, rateBp, months) => {
      const parts = BigInt(monthly) * BigInt(rateBp) * BigInt((months * (months + 1)) / 2)
      const expected = (parts + 60_000n) / 120_000n
      expect(regularSaver({ monthlyPence: BigInt(monthly), rateBp, months }).interestPence).toBe(expected)
    }),
  )
})

test('more money, more months or a higher rate never reduces the interest', () => {
  fc.assert(
    fc.property(anyPence, anyPence, anyRate, anyMonths, (amountPence, monthlyPence, rateBp, months) => {
      const request = { amountPence, monthlyPence, rateBp, months }
      const { endBalancePence: end } = savingsGrowth(request)
      expect(savingsGrowth({ ...request, amountPence: amountPence + 1n }).endBalancePence > end).toBe(true)
      expect(savingsGrowth({ ...request, monthlyPence: monthlyPence + 1n }).endBalancePence > end).toBe(true)
      expect(savingsGrowth({ ...request, rateBp: rateBp + 1 }).endBalancePence >= end).toBe(true)
      expect(savingsGrowth({ ...request, months: months + 1 }).endBalancePence >= end).toBe(true)
      expect(inTodaysMoney(end, rateBp, months) <= end).toBe(true)
    }),
  )
})
