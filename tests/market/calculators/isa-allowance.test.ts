import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { calculateIsaAllowance } from '#server/api/endpoints/calculators/calculate-isa-allowance.endpoint.ts'
import { clock } from '#server/clock.ts'
import { isaAllowance, isaRules, lifetimeBonus, unauthorisedWithdrawal, withdrawalToReceive } from '#server/market/calculators/isa-allowance.ts'
import { type TaxYear, taxYears, toTaxYear } from '#server/market/calculators/tax-year.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, getRefusal } from './call-endpoint.ts'
import file from './isa-test-vectors.json' with { type: 'json' }

cites('calculators/isa-allowance', 'calculators/isa-allowance-parameter-names', 'calculators/isa-allowance-used-is-sum', 'calculators/isa-allowance-breaches')

afterEach(() => vi.restoreAllMocks())

const answer = (query: string) => callEndpoint(calculateIsaAllowance, query)
const rules = isaRules('2026-27')

const getExpected = (id: string) => file.vectors.find((vector) => vector.id === id)?.expected

/** Query for each vector. Vectors not listed here have separate tests below. */
const queries: readonly [id: string, query: string][] = [
  ['A1', 'cash=15000.00&stocksShares=2000.00&innovativeFinance=3000.00&taxYear=2026-27'],
  // The vector has two cash ISAs of 10,000 and 3,000; the endpoint takes one amount per type.
  ['A3', 'cash=13000.00&stocksShares=7000.00&taxYear=2026-27'],
  ['A5', 'used=8000.00&withdrawn=4000.00&flexible=false&taxYear=2026-27'],
  ['A7', 'used=10000.00&withdrawn=5000.00&flexible=true&taxYear=2026-27'],
  ['A13', 'cash=5000.00&age=40&taxYear=2027-28'],
]

test.each(queries)('matches vector %s to the penny', async (id, query) => {
  expect(await answer(query)).toMatchObject(getExpected(id) ?? {})
})

test('treats withdrawals beyond this year’s payments as money from earlier years (vector A9)', async () => {
  const data = await answer('used=3000.00&withdrawn=5000.00&flexible=true&taxYear=2026-27')
  const { remainingCurrentYear, ...rest } = { remainingCurrentYear: '', ...getExpected('A9') }
  expect(data).toMatchObject({ ...rest, remaining: remainingCurrentYear })
})

test('reports a breach for one penny above the cash limit (vector A11)', async () => {
  const { valid, breaches } = await answer('cash=12000.01&age=40&taxYear=2027-28')
  expect(valid).toBe(getExpected('A11')?.valid)
  expect(breaches).toEqual(['Cash limit exceeded: £12,000.01 paid in, at most £12,000.00 in 2027-28.'])
  expect(String(breaches).toLowerCase()).toContain(String(getExpected('A11')?.error))
})

test('applies the withdrawal charge to the whole lifetime ISA withdrawal (vectors A15 and A17)', () => {
  const bonusPence = lifetimeBonus(rules, 400_000)
  const potPence = 400_000 + bonusPence
  const { chargePence, receivedPence } = unauthorisedWithdrawal(rules, potPence)
  const described = { bonus: bonusPence, pot: potPence, charge: chargePence, received: receivedPence, lossOfOwnMoney: 400_000 - receivedPence }
  expect(Object.fromEntries(Object.entries(described).map(([name, pence]) => [name, twoDecimals(pence)]))).toEqual(getExpected('A15'))
  const grossPence = withdrawalToReceive(rules, 100_000)
  const charge = twoDecimals(unauthorisedWithdrawal(rules, grossPence).chargePence)
  expect({ grossWithdrawal: twoDecimals(grossPence), charge }).toEqual(getExpected('A17'))
})

test('matches vector A19, and the tests cover every vector', () => {
  expect({ taxYear: toTaxYear('2027-04-06') }).toEqual(getExpected('A19'))
  expect(file.vectors.map(({ id }) => id)).toEqual(['A1', 'A3', 'A5', 'A7', 'A9', 'A11', 'A13', 'A15', 'A17', 'A19'])
})

test('returns all response fields', async () => {
  vi.spyOn(clock, 'now').mockReturnValue(Date.parse('2026-11-21T12:00:00Z'))
  expect(await answer('cash=5000&lifetime=1000.02&age=30')).toEqual({
    taxYear: '2026-27',
    overallLimit: '20000.00',
    cash: '5000.00',
    stocksShares: '0.00',
    innovativeFinance: '0.00',
    lifetime: '1000.02',
    used: '6000.02',
    currentYearUsed: '6000.02',
    remaining: '13999.98',
    replaceableEarlierYears: '0.00',
    cashLimit: '20000.00',
    remainingCash: '13999.98',
    lifetimeLimit: '4000.00',
    remainingLifetime: '2999.98',
    lifetimeBonus: '250.01',
    asOf: '2026-11-21',
    daysLeft: 135,
    resetsOn: '2027-04-06',
    valid: true,
    breaches: [],
    notes: [
      "Overall limit in 2026-27: £20,000.00 across all of an adult's ISAs. Junior ISAs are separate.",
      'There is no separate cash ISA limit in this tax year.',
      'You can pay into several ISAs of the same type in this tax year, but only one lifetime ISA.',
      'Lifetime ISA: up to £4,000.00 within the overall limit, with a bonus of 25.00%. It can be opened from 18 to 39 and paid into until the day before the 50th birthday.',
      'Lifetime ISA withdrawals before the age of 60, other than for a first home, are charged 25.00%: withdrawing £1,250.03 pays out £937.52, and receiving £1,000.00 requires withdrawing £1,333.33.',
      'A payment counts in the tax year in which it is received, by UK date.',
    ],
  })
})

test('updates the days left and the tax year at midnight in London', async () => {
  const at = async (moment: string) => {
    vi.spyOn(clock, 'now').mockReturnValue(Date.parse(moment))
    const { taxYear, asOf, daysLeft, resetsOn, cashLimit } = await answer('')
    return [taxYear, asOf, daysLeft, resetsOn, cashLimit]
  }
  expect(await at('2027-04-05T22:30:00Z')).toEqual(['2026-27', '2027-04-05', 0, '2027-04-06', '20000.00'])
  expect(await at('2027-04-05T23:30:00Z')).toEqual(['2027-28', '2027-04-06', 365, '2028-04-06', '12000.00'])
  // Checks both clock changes: the skipped hour in spring, and the repeated hour in autumn.
  expect((await at('2027-03-28T00:59:59Z'))[2]).toBe(8)
  expect((await at('2027-03-28T01:00:00Z'))[2]).toBe(8)
  expect((await at('2026-10-25T00:59:59Z'))[2]).toBe(162)
  expect((await at('2026-10-25T01:00:00Z'))[2]).toBe(162)
})

test('applies the 12,000 cash limit to under-65s from 2027-28', async () => {
  const limit = async (query: string) => (await answer(query))['cashLimit']
  expect(await limit('taxYear=2026-27&age=40')).toBe('20000.00')
  expect(await limit('taxYear=2027-28&age=64')).toBe('12000.00')
  expect(await limit('taxYear=2027-28&age=65')).toBe('20000.00')
  const unknown = await answer('taxYear=2027-28')
  expect(unknown).toMatchObject({ cashLimit: '12000.00', remainingCash: '12000.00', remaining: '20000.00' })
  expect(unknown['notes']).toContain('No age was given, so the limit for under 65s is used.')
  expect((await answer('taxYear=2027-28&age=64'))['notes']).toContain('The rules for turning 65 during the tax year have not been confirmed yet.')
})

/** Rules by year, stated independently of the service: the cash limit for under-65s, and whether several ISAs of one type are allowed. */
const years: Readonly<Record<TaxYear, readonly [cashLimit: string, areSeveralAllowed: boolean]>> = {
  '2023-24': ['20000.00', false],
  '2024-25': ['20000.00', true],
  '2025-26': ['20000.00', true],
  '2026-27': ['20000.00', true],
  '2027-28': ['12000.00', true],
}

test.each(taxYears)('applies and explains the rules of %s', async (taxYear) => {
  const [cashLimit, areSeveralAllowed] = years[taxYear]
  const asked = `age=40&taxYear=${taxYear}`
  expect(await answer(asked)).toMatchObject({ overallLimit: '20000.00', cashLimit, lifetimeLimit: '4000.00', remainingLifetime: '4000.00' })
  const { notes } = await answer(asked)
  const [one, several] = ['only one ISA of each type', 'several ISAs of the same type']
  expect([String(notes).includes(one), String(notes).includes(several)]).toEqual([!areSeveralAllowed, areSeveralAllowed])
  expect(String(notes).includes('There is no separate cash ISA limit')).toBe(cashLimit === '20000.00')
  // Checks each limit exactly, and a penny below and above it.
  const breaches = async (query: string) => (await answer(`${query}&${asked}`))['breaches']
  expect([await breaches('stocksShares=19999.99'), await breaches('stocksShares=20000')]).toEqual([[], []])
  expect(await breaches('stocksShares=20000.01')).toEqual([`Overall limit exceeded: £20,000.01 paid in, at most £20,000.00 in ${taxYear}.`])
  expect([await breaches('lifetime=3999.99'), await breaches('lifetime=4000')]).toEqual([[], []])
  expect(await breaches('lifetime=4000.01')).toEqual([`Lifetime limit exceeded: £4,000.01 paid in, at most £4,000.00 in ${taxYear}.`])
  expect(await breaches('cash=12000.01')).toHaveLength(cashLimit === '12000.00' ? 1 : 0)
})

test('reports a breach for one penny above each limit, but not at the limit', async () => {
  const breaches = async (query: string) => (await answer(query))['breaches']
  expect(await breaches('used=20000&taxYear=2026-27')).toEqual([])
  expect(await breaches('used=20000.01&taxYear=2026-27')).toEqual(['Overall limit exceeded: £20,000.01 paid in, at most £20,000.00 in 2026-27.'])
  expect(await breaches('cash=11999.99&taxYear=2027-28')).toEqual([])
  expect(await breaches('cash=12000&stocksShares=8000&taxYear=2027-28')).toEqual([])
  expect(await breaches('cash=12000.01&taxYear=2026-27')).toEqual([])
  expect(await breaches('cash=12000.01&taxYear=2027-28&age=65')).toEqual([])
  expect(await breaches('lifetime=4000')).toEqual([])
  expect(await breaches('lifetime=4000.01&taxYear=2026-27')).toEqual(['Lifetime limit exceeded: £4,000.01 paid in, at most £4,000.00 in 2026-27.'])
  expect(await breaches('lifetime=1&age=50')).toEqual([])
  expect(await breaches('lifetime=1&age=51')).toEqual(['Lifetime ISA payments must stop before the 50th birthday.'])
  expect(await breaches('cash=20000.01&lifetime=4000.01&age=40&taxYear=2027-28')).toHaveLength(3)
})

test('returns null for values that depend on the ISA types if only the total is given', async () => {
  const sum = await answer('used=5000&taxYear=2027-28&age=40')
  expect(sum).toMatchObject({ used: '5000.00', remaining: '15000.00', cash: null, remainingCash: null, remainingLifetime: null, lifetimeBonus: null })
  expect(await answer('used=5000&taxYear=2026-27')).toMatchObject({ remainingCash: '15000.00' })
  expect(await answer('used=5000&taxYear=2026-27&age=50')).toMatchObject({ remainingLifetime: '0.00' })
  for (const used of ['20000', '20000.01']) {
    expect(await answer(`used=${used}&taxYear=2026-27`)).toMatchObject({ remaining: '0.00', remainingCash: '0.00', remainingLifetime: '0.00' })
    expect(await answer(`used=${used}&taxYear=2027-28&age=40`)).toMatchObject({ remaining: '0.00', remainingCash: '0.00', remainingLifetime: '0.00' })
  }
  const unknown = 'Only the total paid in is known, so the remaining lifetime ISA allowance is unknown.'
  expect((await answer('used=20000&taxYear=2026-27'))['notes']).not.toContain(unknown)
  expect((await answer('used=5000&taxYear=2026-27'))['notes']).toContain(unknown)
  expect(await answer('used=19999.99&taxYear=2027-28&age=40')).toMatchObject({ remainingCash: null, remainingLifetime: null })
  expect(await answer('used=0&taxYear=2027-28')).toMatchObject({ cash: '0.00', remainingCash: '12000.00', remainingLifetime: '4000.00' })
})

test('restores cash allowance first after a flexible ISA withdrawal, and never lifetime ISA allowance', async () => {
  const data = await answer('cash=12000&lifetime=4000&withdrawn=13000&flexible=true&taxYear=2027-28')
  expect(data).toMatchObject({
    used: '16000.00',
    currentYearUsed: '4000.00',
    remaining: '16000.00',
    remainingCash: '12000.00',
    replaceableEarlierYears: '1000.00',
  })
  const rigid = await answer('cash=12000&withdrawn=2000&taxYear=2027-28')
  expect(rigid).toMatchObject({ currentYearUsed: '12000.00', remainingCash: '0.00', replaceableEarlierYears: '0.00' })
  expect(rigid['notes']).toContain('Withdrawals do not restore allowance because the ISA is not flexible.')
})

test('names the invalid parameter in the error', async () => {
  expect(await getRefusal(calculateIsaAllowance, 'used=1&cash=1')).toContain('"used" cannot be combined with amounts by type')
  expect(await getRefusal(calculateIsaAllowance, 'cash=1&flexible=yes')).toContain('Valid values: true, false.')
  expect(await getRefusal(calculateIsaAllowance, 'cash=1&age=15&taxYear=2023-24')).toContain('"age" must be a whole number from 16 to 120')
  expect(await getRefusal(calculateIsaAllowance, 'stocksAndShares=1')).toContain('"stocksShares"')
})

const anyPence = fc.oneof(
  fc.integer({ min: 0, max: 2_500_000 }),
  fc.constantFrom(399_999, 400_000, 400_001, 1_199_999, 1_200_000, 1_200_001, 1_999_999, 2_000_000, 2_000_001),
)
const anyRequest = fc
  .record({
    taxYear: fc.constantFrom(...taxYears),
    payments: fc.record({ cashPence: anyPence, stocksSharesPence: anyPence, innovativeFinancePence: anyPence, lifetimePence: anyPence }),
    withdrawnPence: anyPence,
    isFlexible: fc.boolean(),
    age: fc.option(fc.integer({ min: 18, max: 90 })),
  })
  .map((request) => ({ ...request, paidInPence: Object.values(request.payments).reduce((sum, pence) => sum + pence, 0) }))

test('used and remaining allowance add up to the limit unless it is breached', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const result = isaAllowance(request)
      const { currentYearUsedPence, remainingPence, remainingCashPence, remainingLifetimePence, rules: year } = result
      expect(remainingPence).toBe(Math.max(0, year.overallLimitPence - currentYearUsedPence))
      expect(remainingCashPence).toBeLessThanOrEqual(remainingPence)
      expect(remainingLifetimePence).toBeLessThanOrEqual(remainingPence)
      if (request.isFlexible) expect(request.paidInPence - currentYearUsedPence + result.replaceableEarlierYearsPence).toBe(request.withdrawnPence)
      if (result.breaches.length === 0) expect(currentYearUsedPence + remainingPence).toBe(year.overallLimitPence)
    }),
  )
})

test('a larger payment never increases the remaining allowance or removes a breach', () => {
  fc.assert(
    fc.property(
      anyRequest,
      fc.constantFrom('cashPence', 'stocksSharesPence', 'innovativeFinancePence', 'lifetimePence'),
      fc.integer({ min: 1, max: 5_000 }),
      (request, type, more) => {
        const before = isaAllowance(request)
        const payments = { ...request.payments, [type]: request.payments[type] + more }
        const after = isaAllowance({ ...request, payments, paidInPence: request.paidInPence + more })
        expect(after.remainingPence).toBeLessThanOrEqual(before.remainingPence)
        expect(after.remainingCashPence ?? 0).toBeLessThanOrEqual(before.remainingCashPence ?? 0)
        expect(after.breaches.length).toBeGreaterThanOrEqual(before.breaches.length)
      },
    ),
  )
})
