import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { clock } from '../../../server/clock.ts'
import { twoDecimals } from '../../../server/contract/formats.ts'
import { calculateIsaAllowance } from '../../../server/endpoints/calculators/calculate-isa-allowance.endpoint.ts'
import { isaAllowance } from '../../../server/market/calculators/isa-allowance.ts'
import { isaRules } from '../../../server/market/calculators/isa-rules.ts'
import { lifetimeBonus, unauthorisedWithdrawal, withdrawalToReceive } from '../../../server/market/calculators/lifetime-isa.ts'
import { type TaxYear, taxYearOf, taxYears } from '../../../server/market/calculators/tax-year.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, refusalOf } from './call-endpoint.ts'
import file from './isa-test-vectors.json' with { type: 'json' }

cites('calculators/isa-allowance', 'calculators/isa-allowance-parameter-names', 'calculators/isa-allowance-used-is-sum', 'calculators/isa-allowance-breaches')

afterEach(() => vi.restoreAllMocks())

const answer = (query: string) => callEndpoint(calculateIsaAllowance, query)
const rules = isaRules('2026-27')

const expectedOf = (id: string) => file.vectors.find((vector) => vector.id === id)?.expected

/** Each vector as the query that asks it, where the endpoint can be asked. */
const queries: readonly [id: string, query: string][] = [
  ['A1', 'cash=15000.00&stocksShares=2000.00&innovativeFinance=3000.00&taxYear=2026-27'],
  // Two cash ISAs of 10,000 and 3,000 are one amount of the type.
  ['A3', 'cash=13000.00&stocksShares=7000.00&taxYear=2026-27'],
  ['A5', 'used=8000.00&withdrawn=4000.00&flexible=false&taxYear=2026-27'],
  ['A7', 'used=10000.00&withdrawn=5000.00&flexible=true&taxYear=2026-27'],
  ['A13', 'cash=5000.00&age=40&taxYear=2027-28'],
]

test.each(queries)('vector %s to the penny', async (id, query) => {
  expect(await answer(query)).toMatchObject(expectedOf(id) ?? {})
})

test('vector A9: what is taken out beyond this year’s payments is money of earlier years', async () => {
  const data = await answer('used=3000.00&withdrawn=5000.00&flexible=true&taxYear=2026-27')
  const { remainingCurrentYear, ...rest } = { remainingCurrentYear: '', ...expectedOf('A9') }
  expect(data).toMatchObject({ ...rest, remaining: remainingCurrentYear })
})

test('vector A11: a penny above the cash limit breaks it', async () => {
  const { valid, breaches } = await answer('cash=12000.01&age=40&taxYear=2027-28')
  expect(valid).toBe(expectedOf('A11')?.valid)
  expect(breaches).toEqual(['Cash limit exceeded: £12,000.01 paid in, at most £12,000.00 in 2027-28.'])
  expect(String(breaches).toLowerCase()).toContain(String(expectedOf('A11')?.error))
})

test('vectors A15 and A17: the charge on a lifetime ISA is on all that is taken out', () => {
  const bonusPence = lifetimeBonus(rules, 400_000)
  const potPence = 400_000 + bonusPence
  const { chargePence, receivedPence } = unauthorisedWithdrawal(rules, potPence)
  const told = { bonus: bonusPence, pot: potPence, charge: chargePence, received: receivedPence, lossOfOwnMoney: 400_000 - receivedPence }
  expect(Object.fromEntries(Object.entries(told).map(([name, pence]) => [name, twoDecimals(pence)]))).toEqual(expectedOf('A15'))
  const grossPence = withdrawalToReceive(rules, 100_000)
  const charge = twoDecimals(unauthorisedWithdrawal(rules, grossPence).chargePence)
  expect({ grossWithdrawal: twoDecimals(grossPence), charge }).toEqual(expectedOf('A17'))
})

test('vector A19, and none is left out', () => {
  expect({ taxYear: taxYearOf('2027-04-06') }).toEqual(expectedOf('A19'))
  expect(file.vectors.map(({ id }) => id)).toEqual(['A1', 'A3', 'A5', 'A7', 'A9', 'A11', 'A13', 'A15', 'A17', 'A19'])
})

test('the whole answer', async () => {
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
      'Overall limit in 2026-27: £20,000.00 over all ISAs of an adult together. Junior ISAs are apart.',
      'Cash ISAs have no limit of their own in this tax year.',
      'Several ISAs of one type may be paid into in this tax year, but only one lifetime ISA.',
      'Lifetime ISA: up to £4,000.00 inside the overall limit, with a bonus of 25.00%; opened at 18 to 39, paid into until the day before the 50th birthday.',
      'Lifetime ISA money taken out before the age of 60 for anything but a first home: the charge is 25.00% of the withdrawal, so £937.52 is left of £1,250.03, and receiving £1,000.00 takes £1,333.33.',
      'A payment counts in the tax year in which it is received, by the date in the United Kingdom.',
    ],
  })
})

test('days left and the year turn at midnight in London', async () => {
  const at = async (moment: string) => {
    vi.spyOn(clock, 'now').mockReturnValue(Date.parse(moment))
    const { taxYear, asOf, daysLeft, resetsOn, cashLimit } = await answer('')
    return [taxYear, asOf, daysLeft, resetsOn, cashLimit]
  }
  expect(await at('2027-04-05T22:30:00Z')).toEqual(['2026-27', '2027-04-05', 0, '2027-04-06', '20000.00'])
  expect(await at('2027-04-05T23:30:00Z')).toEqual(['2027-28', '2027-04-06', 365, '2028-04-06', '12000.00'])
  // The hour that is skipped and the hour that comes twice.
  expect((await at('2027-03-28T00:59:59Z'))[2]).toBe(8)
  expect((await at('2027-03-28T01:00:00Z'))[2]).toBe(8)
  expect((await at('2026-10-25T00:59:59Z'))[2]).toBe(162)
  expect((await at('2026-10-25T01:00:00Z'))[2]).toBe(162)
})

test('the cash limit of 12,000 holds from 2027-28 and under 65', async () => {
  const limit = async (query: string) => (await answer(query))['cashLimit']
  expect(await limit('taxYear=2026-27&age=40')).toBe('20000.00')
  expect(await limit('taxYear=2027-28&age=64')).toBe('12000.00')
  expect(await limit('taxYear=2027-28&age=65')).toBe('20000.00')
  const unknown = await answer('taxYear=2027-28')
  expect(unknown).toMatchObject({ cashLimit: '12000.00', remainingCash: '12000.00', remaining: '20000.00' })
  expect(unknown['notes']).toContain('No age was given, so the limit for those under 65 is used.')
  expect((await answer('taxYear=2027-28&age=64'))['notes']).toContain('How turning 65 within the tax year counts is not settled yet.')
})

/** The rules of each year, typed here once more: the cash limit of those under 65, and whether several ISAs of a type may be paid into. */
const years: Readonly<Record<TaxYear, readonly [cashLimit: string, areSeveralAllowed: boolean]>> = {
  '2023-24': ['20000.00', false],
  '2024-25': ['20000.00', true],
  '2025-26': ['20000.00', true],
  '2026-27': ['20000.00', true],
  '2027-28': ['12000.00', true],
}

test.each(taxYears)('the rules of %s, and which of them its notes name', async (taxYear) => {
  const [cashLimit, areSeveralAllowed] = years[taxYear]
  const asked = `age=40&taxYear=${taxYear}`
  expect(await answer(asked)).toMatchObject({ overallLimit: '20000.00', cashLimit, lifetimeLimit: '4000.00', remainingLifetime: '4000.00' })
  const { notes } = await answer(asked)
  const [one, several] = ['Only one ISA of each type may be paid into', 'Several ISAs of one type may be paid into']
  expect([String(notes).includes(one), String(notes).includes(several)]).toEqual([!areSeveralAllowed, areSeveralAllowed])
  expect(String(notes).includes('Cash ISAs have no limit of their own')).toBe(cashLimit === '20000.00')
  // Both sides of each limit, by a penny.
  const breaches = async (query: string) => (await answer(`${query}&${asked}`))['breaches']
  expect([await breaches('stocksShares=19999.99'), await breaches('stocksShares=20000')]).toEqual([[], []])
  expect(await breaches('stocksShares=20000.01')).toEqual([`Overall limit exceeded: £20,000.01 paid in, at most £20,000.00 in ${taxYear}.`])
  expect([await breaches('lifetime=3999.99'), await breaches('lifetime=4000')]).toEqual([[], []])
  expect(await breaches('lifetime=4000.01')).toEqual([`Lifetime limit exceeded: £4,000.01 paid in, at most £4,000.00 in ${taxYear}.`])
  expect(await breaches('cash=12000.01')).toHaveLength(cashLimit === '12000.00' ? 1 : 0)
})

test('both sides of every limit', async () => {
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
  expect(await breaches('lifetime=1&age=51')).toEqual(['Lifetime payments end on the day before the 50th birthday.'])
  expect(await breaches('cash=20000.01&lifetime=4000.01&age=40&taxYear=2027-28')).toHaveLength(3)
})

test('with only the sum, what depends on its parts is null', async () => {
  const sum = await answer('used=5000&taxYear=2027-28&age=40')
  expect(sum).toMatchObject({ used: '5000.00', remaining: '15000.00', cash: null, remainingCash: null, remainingLifetime: null, lifetimeBonus: null })
  expect(await answer('used=5000&taxYear=2026-27')).toMatchObject({ remainingCash: '15000.00' })
  expect(await answer('used=5000&taxYear=2026-27&age=50')).toMatchObject({ remainingLifetime: '0.00' })
  for (const used of ['20000', '20000.01']) {
    expect(await answer(`used=${used}&taxYear=2026-27`)).toMatchObject({ remaining: '0.00', remainingCash: '0.00', remainingLifetime: '0.00' })
    expect(await answer(`used=${used}&taxYear=2027-28&age=40`)).toMatchObject({ remaining: '0.00', remainingCash: '0.00', remainingLifetime: '0.00' })
  }
  const unknown = 'Only the sum paid in is known, so what is left for a lifetime ISA is not.'
  expect((await answer('used=20000&taxYear=2026-27'))['notes']).not.toContain(unknown)
  expect((await answer('used=5000&taxYear=2026-27'))['notes']).toContain(unknown)
  expect(await answer('used=19999.99&taxYear=2027-28&age=40')).toMatchObject({ remainingCash: null, remainingLifetime: null })
  expect(await answer('used=0&taxYear=2027-28')).toMatchObject({ cash: '0.00', remainingCash: '12000.00', remainingLifetime: '4000.00' })
})

test('a flexible ISA gives back cash first and never what went into a lifetime ISA', async () => {
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
  expect(rigid['notes']).toContain('Withdrawals do not give back allowance, because the ISA is not flexible.')
})

test('what cannot be asked is refused by name', async () => {
  expect(await refusalOf(calculateIsaAllowance, 'used=1&cash=1')).toContain('"used" is given beside amounts per type')
  expect(await refusalOf(calculateIsaAllowance, 'cash=1&flexible=yes')).toContain('Known: true, false.')
  expect(await refusalOf(calculateIsaAllowance, 'cash=1&age=15&taxYear=2023-24')).toContain('"age" must be a whole number from 16 to 120')
  expect(await refusalOf(calculateIsaAllowance, 'stocksAndShares=1')).toContain('"stocksShares"')
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

test('what is used and what remains make up the limit, and no part is larger than the whole', () => {
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

test('paying in more never leaves more, and never mends a breach', () => {
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
