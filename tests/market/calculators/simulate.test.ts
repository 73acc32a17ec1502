import { expect, test } from 'vitest'
import { simulateBalance } from '#server/api/endpoints/calculators/simulate.endpoint.ts'
import type { Product } from '#server/market/product.ts'
import type { Provider } from '#server/market/provider.ts'
import { cites } from '../../requirements/verifies.ts'
import { makeProduct } from '../make-product.ts'
import { callEndpoint, getRefusal } from './call-endpoint.ts'

cites(
  'calculators/simulate-product',
  'calculators/simulate-plain-rate',
  'calculators/simulate-answer',
  'calculators/simulate-bonus-ends',
  'calculators/simulate-fixed-held',
  'calculators/simulate-parameter-names',
  'calculators/plain-rate-compounds-annually',
  'calculators/product-compounds-as-paid',
)

const plain = (query: string) => callEndpoint(simulateBalance, query)

const provider: Provider = {
  slug: 'harrow-vale',
  name: 'Harrow Vale Bank',
  legalName: 'Harrow Vale Bank plc (fictional)',
  frn: null,
  providerType: 'bank',
  website: 'https://harrow-vale.example/',
  founded: null,
  headquarters: null,
  ownerName: null,
  ownerCountry: null,
  protectionScheme: 'FSCS (demonstration provider)',
  protectionLimitPence: 12_000_000,
  licenceGroup: 'harrow-vale',
  cassParticipant: false,
  colour: null,
  logoPath: null,
  updatedAt: '2026-11-21T06:00:00.000Z',
}

const inProduct = (facts: Partial<Product>, query: string) =>
  callEndpoint(simulateBalance, `sourceKey=a&${query}`, { products: [makeProduct({ sourceKey: 'a', ...facts })], providers: [provider] })

const bonus = { rateBp: 400, boostRateBp: 200, boostDuration: '12 months' }
const bond = { accountType: 'fixed-rate', rateBp: 450, interestType: 'Fixed', termMonths: 12 } as const

test('compounds a plain rate annually, as stated in the field compounding', async () => {
  const data = await plain('rate=4.50&amount=10000&months=24')
  expect(data).toMatchObject({
    sourceKey: null,
    balance: '10000.00',
    months: 24,
    simulatedMonths: 24,
    rateUsed: '4.50',
    baseRate: '4.50',
    boostRate: '0.00',
    boostEndsAfterMonth: null,
    interestPaid: 'Annually',
    compounding: 'annually',
    totalInterest: '920.25',
    endBalance: '10920.25',
    effectiveAer: '4.50',
    warnings: [],
  })
  expect(data['assumptions']).toContain(
    'The rate stays the same and compounds annually: interest is credited every twelve months, and pro rata for a partial year at the end.',
  )
  const schedule = data['schedule'] as unknown[]
  expect(schedule).toHaveLength(24)
  expect(schedule[10]).toEqual({ month: 11, rate: '4.50', interest: '0.00', balance: '10000.00' })
  expect(schedule[11]).toEqual({ month: 12, rate: '4.50', interest: '450.00', balance: '10450.00' })
  expect(schedule[23]).toEqual({ month: 24, rate: '4.50', interest: '470.25', balance: '10920.25' })
})

test('accepts balance as an alias of amount', async () => {
  expect(await plain('rate=4.5&balance=10000&months=12')).toEqual(await plain('rate=4.50&amount=10000.00&months=12'))
})

test('pays a bonus only until it ends', async () => {
  expect(await inProduct(bonus, 'amount=10000&months=12')).toMatchObject({ totalInterest: '400.00', endBalance: '10400.00', effectiveAer: '4.00' })
  const two = await inProduct(bonus, 'amount=10000&months=24')
  expect(two).toMatchObject({ totalInterest: '608.00', endBalance: '10608.00', rateUsed: '4.00', baseRate: '2.00', boostRate: '2.00', boostEndsAfterMonth: 12 })
  const schedule = two['schedule'] as { rate: string }[]
  expect(schedule.map(({ rate }) => rate)).toEqual([...Array.from({ length: 12 }, () => '4.00'), ...Array.from({ length: 12 }, () => '2.00')])
  expect(two['assumptions']).toContain('The bonus of 2.00% ends after 12 months; after that, the base rate of 2.00% applies.')
})

test('ends a bonus after six months or a single month', async () => {
  expect(await inProduct({ rateBp: 450, boostRateBp: 150, boostDuration: '6 months' }, 'amount=10000&months=12')).toMatchObject({ totalInterest: '375.00' })
  expect(await inProduct({ rateBp: 450, boostRateBp: 150, boostDuration: '1 month' }, 'amount=10000&months=12')).toMatchObject({ totalInterest: '312.50' })
})

test('excludes a bonus of unknown duration', async () => {
  const data = await inProduct({ ...bonus, boostDuration: 'until further notice' }, 'amount=10000&months=12')
  expect(data).toMatchObject({ totalInterest: '200.00', rateUsed: '2.00', boostRate: '2.00', boostEndsAfterMonth: null })
  expect(data['warnings']).toEqual(['The 2.00% bonus has an unknown duration, so it is not included.'])
})

test('treats a product’s rate as an AER for every payment frequency', async () => {
  const end = async (interestPaid: string) => {
    const { compounding, endBalance, effectiveAer } = await inProduct({ rateBp: 450, interestPaid, maxBalancePence: null }, 'amount=10000&months=12')
    return [compounding, endBalance, effectiveAer]
  }
  expect(await end('Daily')).toEqual(['daily', '10449.99', '4.50'])
  expect(await end('Monthly')).toEqual(['monthly', '10449.99', '4.50'])
  expect(await end('Quarterly')).toEqual(['quarterly', '10449.99', '4.50'])
  expect(await end('Half-yearly')).toEqual(['half-yearly', '10450.00', '4.50'])
  expect(await end('Annually')).toEqual(['annually', '10450.00', '4.50'])
  expect(await end('At maturity')).toEqual(['maturity', '10450.00', '4.50'])
  expect((await inProduct({ rateBp: 450, interestPaid: 'Monthly' }, 'amount=1&months=1'))['assumptions']).toContain(
    'Interest is credited monthly: 4.50% AER is 4.41% gross.',
  )
  const unknown = await inProduct({ interestPaid: 'Now and then' }, 'amount=100&months=12')
  expect(unknown).toMatchObject({ compounding: 'annually', interestPaid: 'Now and then' })
  expect(unknown['assumptions']).toContain('The interest payment frequency is unknown ("Now and then"); annual payment is assumed.')
})

test('stops a fixed rate at maturity', async () => {
  const data = await inProduct(bond, 'amount=10000&months=24')
  expect(data).toMatchObject({ months: 24, simulatedMonths: 12, endBalance: '10450.00', effectiveAer: '4.50' })
  expect(data['schedule']).toHaveLength(12)
  expect(data['warnings']).toEqual(['The account matures after 12 months, before the 24 months requested. The simulation stops at maturity.'])
  expect(data['assumptions']).toContain('The rate is fixed until maturity after 12 months.')
  expect((await inProduct(bond, 'amount=10000&months=12'))['warnings']).toEqual([])
  expect((await inProduct(bond, 'amount=10000&months=11'))['warnings']).toEqual(['The account matures after 12 months, later than the 11 months requested.'])
})

test('pays interest once at maturity, compounded yearly', async () => {
  const twoYears = { ...bond, termMonths: 24, interestPaid: 'At maturity' }
  const data = await inProduct(twoYears, 'amount=10000&months=24')
  expect(data).toMatchObject({ compounding: 'maturity', endBalance: '10920.25', totalInterest: '920.25' })
  // 1,000.00 at 4.50% for two years earns 92.025: an exact half penny, which rounds up.
  expect(await inProduct(twoYears, 'amount=1000&months=24')).toMatchObject({ totalInterest: '92.03' })
  const early = await inProduct(twoYears, 'amount=10000&months=12')
  expect(early).toMatchObject({ totalInterest: '450.00' })
  expect(early['warnings']).toEqual([
    'The account matures after 24 months, later than the 12 months requested. Interest is only paid at maturity; the amount shown has accrued but is not paid yet.',
  ])
  expect(await inProduct({ ...bond, termMonths: 6, interestPaid: 'At maturity' }, 'amount=10000&months=6')).toMatchObject({
    totalInterest: '222.52',
    effectiveAer: '4.50',
  })
})

test('warns about balance limits, to the penny', async () => {
  const limits = { minBalancePence: 100_000, maxBalancePence: 8_500_000 }
  const warnings = async (amount: string) => (await inProduct({ ...limits, rateBp: 1 }, `amount=${amount}&months=1`))['warnings']
  expect(await warnings('999.99')).toEqual(["£999.99 is below the account's minimum balance of £1,000.00."])
  expect(await warnings('1000')).toEqual([])
  expect(await warnings('84000')).toEqual([])
  expect(await warnings('85000')).toEqual(["Interest takes the balance above the account's maximum of £85,000.00."])
  expect(await warnings('85000.01')).toEqual(["£85,000.01 is above the account's maximum balance of £85,000.00."])
})

test('warns about a monthly deposit limit', async () => {
  const saver = { accountType: 'regular-saver', maxMonthlyDepositPence: 30_000 } as const
  expect((await inProduct(saver, 'amount=300&months=12'))['warnings']).toEqual([])
  expect((await inProduct(saver, 'amount=300.01&months=12'))['warnings']).toEqual([
    'The account accepts at most £300.00 a month, so £300.01 cannot be paid in at once. See /calculators/regular-saver.',
  ])
})

test.each([
  ['lifetime-isa', '4000', '4000.01', '£4,000.00'],
  ['junior-isa', '9000', '15000', '£9,000.00'],
] as const)('warns about an amount above the yearly allowance of a %s', async (accountType, allowed, above, limit) => {
  const isa = { accountType, maxBalancePence: null }
  expect((await inProduct(isa, `amount=${allowed}&months=12`))['warnings']).toEqual([])
  const amount = `£${Number(above).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`
  expect((await inProduct(isa, `amount=${above}&months=12`))['warnings']).toEqual([
    `At most ${limit} of new money can be paid in each tax year, so ${amount} cannot be paid in at once.`,
  ])
})

test('warns about a balance above the protection limit', async () => {
  const free = { maxBalancePence: null, rateBp: 0 }
  expect((await inProduct(free, 'amount=120000&months=12'))['warnings']).toEqual([])
  expect((await inProduct(free, 'amount=120000.01&months=12'))['warnings']).toEqual([
    'The end balance is above the £120,000.00 protected per person at this provider.',
  ])
  const products = [makeProduct({ sourceKey: 'a', ...free })]
  const unlimited = { products, providers: [{ ...provider, protectionLimitPence: null }] }
  expect((await callEndpoint(simulateBalance, 'sourceKey=a&amount=500000&months=12', unlimited))['warnings']).toEqual([])
})

test('names the invalid parameter in the error', async () => {
  const refusal = (query: string) => getRefusal(simulateBalance, query, { products: [makeProduct({ sourceKey: 'a' })] })
  expect(await refusal('sourceKey=b&amount=1&months=1')).toBe('not_found: There is no product "b". Did you mean "a"? See /reference/products.')
  for (const query of ['amount=1&months=1', 'sourceKey=a&rate=4&amount=1&months=1']) {
    const message = await refusal(query)
    expect(message).toContain('invalid_request')
    expect(message).toContain('"sourceKey"')
    expect(message).toContain('"rate"')
  }
  const both = await refusal('rate=4&amount=1&balance=1&months=1')
  expect(both).toBe('invalid_request: "amount" and "balance" are the same parameter. Give only one of them.')
  expect(await refusal('rate=4&months=1')).toBe('invalid_request: "amount" is missing.')
  expect(await refusal('rate=4&amount=1')).toBe('invalid_request: "months" is missing.')
  expect(await refusal('rate=4&amount=0&months=1')).toContain('"amount" must be an amount in pounds from 0.01')
  expect(await refusal('rate=4.005&amount=1&months=1')).toContain('"rate" must be a percentage from 0 to 100')
  expect(await refusal('rate=100.01&amount=1&months=1')).toContain('"rate" must be a percentage')
  expect(await refusal('rate=4&amount=1&months=0')).toContain('"months" must be a whole number from 1 to 360')
  expect(await refusal('rate=4&amount=1&months=361')).toContain('"months" must be')
  expect(await refusal('rate=4&amount=1&months=1.5')).toContain('"months" must be')
})
