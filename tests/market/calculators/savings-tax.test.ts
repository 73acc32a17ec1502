import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { calculateSavingsTax } from '#server/api/endpoints/calculators/calculate-savings-tax.endpoint.ts'
import { clock } from '#server/clock.ts'
import { type SavingsTax, savingsTax } from '#server/market/calculators/savings-tax.ts'
import { type TaxYear, taxYears } from '#server/market/calculators/tax-year.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, getRefusal } from './call-endpoint.ts'
import file from './tax-test-vectors.json' with { type: 'json' }

cites('calculators/savings-tax', 'calculators/savings-tax-parameter-names')

afterEach(() => vi.restoreAllMocks())

const answer = (query: string) => callEndpoint(calculateSavingsTax, query)

test.each(file.vectors)('matches vector $id to the penny', async ({ taxYear, otherIncome, interest, expected }) => {
  const { taxOnInterest, ...rest } = expected
  expect(await answer(`income=${otherIncome}&interest=${interest}&taxYear=${taxYear}`)).toMatchObject({ ...rest, taxDue: taxOnInterest })
})

test('covers all 18 vectors', () => {
  expect(file.vectors).toHaveLength(18)
})

test('halves the personal savings allowance one pound above 50,270', async () => {
  const below = await answer('income=49270&interest=1000&taxYear=2026-27')
  expect(below).toMatchObject({ taxDue: '0.00', taxBand: 'basic', personalSavingsAllowance: '1000.00', netInterest: '1000.00' })
  const above = await answer('income=49271&interest=1000&taxYear=2026-27')
  expect(above).toMatchObject({ taxDue: '100.20', taxBand: 'higher', personalSavingsAllowance: '500.00', netInterest: '899.80' })
  expect(above['breakdown']).toEqual([
    { band: 'personal-savings-allowance', amount: '500.00', rate: '0.00', tax: '0.00' },
    { band: 'basic', amount: '499.00', rate: '20.00', tax: '99.80' },
    { band: 'higher', amount: '1.00', rate: '40.00', tax: '0.40' },
  ])
})

test('explains the applied rules in the notes', async () => {
  const { notes: taper } = await answer('income=100000&interest=1000&taxYear=2026-27')
  expect(taper).toEqual([
    'Order of set-off in 2026-27: the personal allowance is set against other income first, then against interest. Until 5 April 2027 the law allows a more beneficial order, which in a few cases lowers total tax by up to £100.00.',
    'Personal allowance taper: £12,570.00, reduced by £1 for every £2 of income above £100,000.00, interest included, leaves £12,070.00.',
    'Starting rate for savings: 0% on up to £5,000.00, less other income above the personal allowance; none is left.',
    'Personal savings allowance: £500.00, because taxable income, interest included, is above the basic-rate band of £37,700.00.',
    'Savings rates in 2026-27: 20.00% basic, 40.00% higher, 45.00% additional.',
    'The interest also reduces the personal allowance, which adds £200.00 of tax on other income at the rates for England, Wales and Northern Ireland.',
    'Savings interest is taxed at UK rates and bands in Scotland and Wales too.',
    'Interest counts in the tax year in which it is credited. Interest in an ISA and Premium Bond prizes are excluded; interest on a joint account is split equally.',
  ])
  const { notes: later } = await answer('income=16000&interest=10000.01&taxYear=2027-28')
  expect(later).toContain(
    'Order of set-off in 2027-28: the personal allowance is set against other income first, then against interest, as required by law from 6 April 2027 (Finance Act 2026, Schedule 1).',
  )
  expect(later).toContain('Starting rate for savings: 0% on up to £5,000.00, less other income above the personal allowance; £1,570.00 is available.')
  expect(later).toContain('Savings rates in 2027-28: 22.00% basic, 42.00% higher, 47.00% additional.')
  expect(later).toContain('Self Assessment: savings and investment income above £10,000.00 must be reported in a tax return.')
})

/** Other income and interest in pence with the expected result, on both sides of every threshold. The thresholds are unchanged since 2023-24. */
const thresholds: readonly [name: string, incomePence: number, interestPence: number, expected: Partial<SavingsTax>][] = [
  ['personal allowance, a penny short', 1_256_998, 1, { band: 'none', allowanceOnInterestPence: 1, startingRateUsedPence: 0 }],
  ['personal allowance, used up to the penny', 1_256_999, 1, { band: 'none', allowanceOnInterestPence: 1, startingRateUsedPence: 0 }],
  ['personal allowance, a penny over', 1_257_000, 1, { band: 'basic', allowanceOnInterestPence: 0, startingRateUsedPence: 1 }],
  ['starting rate, a penny left', 1_756_999, 2, { startingRateAvailablePence: 1, savingsAllowanceUsedPence: 1 }],
  ['starting rate, gone', 1_757_000, 2, { startingRateAvailablePence: 0, savingsAllowanceUsedPence: 2 }],
  ['starting rate, beyond', 1_757_001, 2, { startingRateAvailablePence: 0, savingsAllowanceUsedPence: 2 }],
  ['allowance of 1,000, a penny short', 3_000_000, 99_999, { taxableInterestPence: 0, savingsAllowanceUsedPence: 99_999 }],
  ['allowance of 1,000, reached', 3_000_000, 100_000, { taxableInterestPence: 0, taxPence: 0 }],
  ['allowance of 1,000, a penny over is less than half a penny of tax', 3_000_000, 100_001, { taxableInterestPence: 1, taxPence: 0 }],
  ['allowance of 1,000, half a penny of tax is rounded up', 3_000_000, 100_003, { taxableInterestPence: 3, taxPence: 1 }],
  ['allowance of 500, a penny short', 6_000_000, 49_999, { taxableInterestPence: 0, savingsAllowanceUsedPence: 49_999 }],
  ['allowance of 500, reached', 6_000_000, 50_000, { taxableInterestPence: 0 }],
  ['allowance of 500, a penny over', 6_000_000, 50_001, { taxableInterestPence: 1 }],
  ['basic band, a penny short', 5_026_998, 1, { band: 'basic', savingsAllowancePence: 100_000 }],
  ['basic band, reached', 5_026_999, 1, { band: 'basic', savingsAllowancePence: 100_000 }],
  ['basic band, a penny over', 5_027_000, 1, { band: 'higher', savingsAllowancePence: 50_000 }],
  ['taper, not yet', 9_999_999, 1, { personalAllowancePence: 1_257_000 }],
  ['taper, a penny over is rounded up to the full allowance', 9_999_999, 2, { personalAllowancePence: 1_257_000 }],
  ['taper, a penny short of two pounds', 9_999_999, 200, { personalAllowancePence: 1_257_000 }],
  ['taper, two pounds over reduce the allowance by one', 10_000_000, 200, { personalAllowancePence: 1_256_900 }],
  ['taper, a penny short of zero', 12_513_998, 1, { personalAllowancePence: 100 }],
  ['taper, nothing left', 12_513_999, 1, { personalAllowancePence: 0, band: 'higher', savingsAllowancePence: 50_000 }],
  ['additional rate, a penny over', 12_514_000, 1, { band: 'additional', savingsAllowancePence: 0, taxableInterestPence: 1 }],
  ['Self Assessment, a penny short', 0, 999_999, { isSelfAssessmentRequired: false }],
  ['Self Assessment, exactly 10,000', 0, 1_000_000, { isSelfAssessmentRequired: false }],
  ['Self Assessment, a penny over', 0, 1_000_001, { isSelfAssessmentRequired: true }],
]

test.each(taxYears)('applies every threshold of %s to the penny', (taxYear) => {
  for (const [name, incomePence, interestPence, expected] of thresholds) {
    expect({ name, ...savingsTax({ taxYear, incomePence, interestPence }) }).toMatchObject({ name, ...expected })
  }
})

/** Savings rates in percent, stated independently of the service. */
const rates: Readonly<Record<TaxYear, Readonly<Record<'basic' | 'higher' | 'additional', number>>>> = {
  '2023-24': { basic: 20, higher: 40, additional: 45 },
  '2024-25': { basic: 20, higher: 40, additional: 45 },
  '2025-26': { basic: 20, higher: 40, additional: 45 },
  '2026-27': { basic: 20, higher: 40, additional: 45 },
  '2027-28': { basic: 22, higher: 42, additional: 47 },
}

test.each(taxYears)('applies the %s tax rates on savings and explains the order in which allowances are used', async (taxYear) => {
  const tax = (incomePence: number, interestPence: number) => savingsTax({ taxYear, incomePence, interestPence }).taxPence
  const { basic, higher, additional } = rates[taxYear]
  // In each case £1,000.00 is taxable, after an allowance of £1,000.00, £500.00 or zero.
  expect([tax(3_000_000, 200_000), tax(6_000_000, 150_000), tax(20_000_000, 100_000)]).toEqual([basic * 1_000, higher * 1_000, additional * 1_000])
  const { notes } = await answer(`income=30000&interest=2000&taxYear=${taxYear}`)
  expect(notes).toContain(`Savings rates in ${taxYear}: ${basic}.00% basic, ${higher}.00% higher, ${additional}.00% additional.`)
  const isFixed = taxYear === '2027-28'
  expect(String(notes).includes('as required by law from 6 April 2027')).toBe(isFixed)
  expect(String(notes).includes('Until 5 April 2027 the law allows a more beneficial order')).toBe(!isFixed)
})

const anyYear = fc.constantFrom(...taxYears)
/** Amounts in pence up to £200,000, with more samples near the thresholds. */
const anyPence = fc.oneof(
  fc.integer({ min: 0, max: 20_000_000 }),
  fc
    .tuple(fc.constantFrom(50_000, 100_000, 500_000, 1_257_000, 1_757_000, 3_770_000, 5_027_000, 10_000_000, 12_514_000), fc.integer({ min: -300, max: 300 }))
    .map(([threshold, step]) => threshold + step),
)

test('returns slices that add up to the interest and to the tax', () => {
  fc.assert(
    fc.property(anyYear, anyPence, anyPence, (taxYear, incomePence, interestPence) => {
      const result = savingsTax({ taxYear, incomePence, interestPence })
      expect(result.slices.reduce((sum, { amountPence }) => sum + amountPence, 0)).toBe(interestPence)
      expect(result.slices.reduce((sum, { taxPence }) => sum + taxPence, 0)).toBe(result.taxPence)
      expect(result.slices.every(({ taxPence, amountPence }) => taxPence >= 0 && taxPence <= amountPence)).toBe(true)
      expect(result.startingRateUsedPence).toBeLessThanOrEqual(result.startingRateAvailablePence)
      expect(result.savingsAllowanceUsedPence).toBeLessThanOrEqual(result.savingsAllowancePence)
      expect(result.extraTaxPence).toBeGreaterThanOrEqual(result.taxPence)
      // Interest raises the tax on other income only if it reduces the personal allowance, which is tapered above £100,000.
      if (incomePence + interestPence <= 10_000_000) expect(result.extraTaxPence).toBe(result.taxPence)
    }),
  )
})

test('the tax never falls with more interest or income, and is never lower in 2027-28', () => {
  fc.assert(
    fc.property(anyYear, anyPence, anyPence, fc.integer({ min: 1, max: 100_000 }), (taxYear, incomePence, interestPence, more) => {
      const { taxPence, extraTaxPence } = savingsTax({ taxYear, incomePence, interestPence })
      const moreInterest = savingsTax({ taxYear, incomePence, interestPence: interestPence + more })
      expect(moreInterest.taxPence).toBeGreaterThanOrEqual(taxPence)
      expect(moreInterest.extraTaxPence).toBeGreaterThanOrEqual(extraTaxPence)
      expect(savingsTax({ taxYear, incomePence: incomePence + more, interestPence }).taxPence).toBeGreaterThanOrEqual(taxPence)
      expect(savingsTax({ taxYear: '2027-28', incomePence, interestPence }).taxPence).toBeGreaterThanOrEqual(taxPence)
    }),
  )
})

/** Returns the total tax in whole pounds, calculated independently of the service. `onInterest` is the part of the personal allowance set against interest. */
function allTax(income: number, interest: number, onInterest: number): number {
  const wages = income - Math.min(income, 12_570 - onInterest)
  const savings = interest - onInterest
  const at = (from: number, to: number) => 0.2 * Math.max(0, Math.min(to, 37_700) - from) + 0.4 * Math.max(0, to - Math.max(from, 37_700))
  const free = Math.min(savings, Math.max(0, 5_000 - wages))
  const allowed = Math.min(savings - free, wages + savings > 37_700 ? 500 : 1_000)
  return Math.round(at(0, wages) + at(wages + free + allowed, wages + savings))
}

test('the more beneficial order saves at most £100, as the notes say', () => {
  const fixed = (income: number, interest: number) => allTax(income, interest, Math.min(Math.max(0, 12_570 - income), interest))
  const best = (income: number, interest: number) => {
    const orders = Array.from({ length: 126 }, (_, step) => Math.min(step * 100, interest, 12_570))
    return Math.min(fixed(income, interest), ...orders.map((onInterest) => allTax(income, interest, onInterest)))
  }
  for (const { otherIncome, interest, standardOrderTotalTax, mostBeneficialTotalTax } of file.beneficialOrderingIllustration.rows) {
    expect(fixed(Number(otherIncome), Number(interest))).toBe(Number(standardOrderTotalTax))
    expect(best(Number(otherIncome), Number(interest))).toBe(Number(mostBeneficialTotalTax))
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 40_000 }), (income, interest) => {
      expect(fixed(income, interest) - best(income, interest)).toBeLessThanOrEqual(100)
      // The independent calculation gives the same tax on the interest, to within a pound.
      const withoutInterest = allTax(income, 0, 0)
      const { extraTaxPence } = savingsTax({ taxYear: '2026-27', incomePence: income * 100, interestPence: interest * 100 })
      expect(Math.abs(fixed(income, interest) - withoutInterest - extraTaxPence / 100)).toBeLessThanOrEqual(1)
    }),
  )
})

test('defaults to the current tax year, which changes at midnight in London', async () => {
  const yearAt = async (moment: string) => {
    vi.spyOn(clock, 'now').mockReturnValue(Date.parse(moment))
    return (await answer('income=30000&interest=2000'))['taxYear']
  }
  expect(await yearAt('2027-04-05T22:59:59.999Z')).toBe('2026-27')
  expect(await yearAt('2027-04-05T23:00:00Z')).toBe('2027-28')
  expect(await yearAt('2027-04-05T23:30:00Z')).toBe('2027-28')
})

test('requires taxYear once the current tax year has no rate tables', async () => {
  vi.spyOn(clock, 'now').mockReturnValue(Date.parse('2028-04-06T12:00:00Z'))
  expect(await getRefusal(calculateSavingsTax, 'income=1&interest=1')).toBe(
    'invalid_request: The rules for the tax year 2028-29 are not available yet. Set "taxYear" to one of 2023-24, 2024-25, 2025-26, 2026-27, 2027-28.',
  )
  expect(await answer('income=1&interest=1&taxYear=2027-28')).toMatchObject({ taxYear: '2027-28' })
})

test('names the invalid parameter in the error', async () => {
  expect(await getRefusal(calculateSavingsTax, 'interest=1')).toBe('invalid_request: "income" is missing.')
  expect(await getRefusal(calculateSavingsTax, 'income=1')).toBe('invalid_request: "interest" is missing.')
  expect(await getRefusal(calculateSavingsTax, 'income=1.001&interest=1')).toContain('"income" must be an amount in pounds from 0 to 1000000000')
  expect(await getRefusal(calculateSavingsTax, 'income=-1&interest=1')).toContain('"income" must be an amount')
  expect(await getRefusal(calculateSavingsTax, 'income=1e3&interest=1')).toContain('"income" must be an amount')
  expect(await getRefusal(calculateSavingsTax, 'income=1&interest=1&taxYear=2026/27')).toContain('Did you mean "2026-27"')
  expect(await getRefusal(calculateSavingsTax, 'income=1&interest=1&region=scotland')).toContain('Unknown parameter "region"')
})
