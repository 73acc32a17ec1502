import { halfUp } from './rounding.ts'
import { type Band, selfAssessmentAbovePence, type TaxRules, taxRules } from './tax-rules.ts'
import type { TaxYear } from './tax-year.ts'

export const sliceBands = ['personal-allowance', 'starting-rate', 'personal-savings-allowance', 'basic', 'higher', 'additional'] as const

/** A part of the interest, the rate on it and its tax. The taxes of all parts add up to the tax due. */
export type TaxSlice = {
  readonly band: (typeof sliceBands)[number]
  readonly amountPence: number
  readonly rateBp: number
  readonly taxPence: number
}

/** Yearly sums in pence. `incomePence` is all taxable income but savings interest and dividends, before tax. */
export type SavingsTaxRequest = { readonly taxYear: TaxYear; readonly incomePence: number; readonly interestPence: number }

export type SavingsTax = {
  readonly rules: TaxRules
  readonly band: Band | 'none'
  readonly personalAllowancePence: number
  readonly allowanceOnInterestPence: number
  readonly startingRateAvailablePence: number
  readonly startingRateUsedPence: number
  readonly savingsAllowancePence: number
  readonly savingsAllowanceUsedPence: number
  /** Interest that is taxed above 0 %. */
  readonly taxableInterestPence: number
  readonly slices: readonly TaxSlice[]
  readonly taxPence: number
  /** What the interest costs in all: its own tax, and the tax on other income when it takes away personal allowance. */
  readonly extraTaxPence: number
  readonly isSelfAssessmentRequired: boolean
}

/** Pence times hundredths of a percent: sums of tax are rounded once, at their end. */
type TaxUnits = number

const toPenny = (units: TaxUnits) => Number(halfUp(BigInt(units), 10_000n))

const bands = ['basic', 'higher', 'additional'] as const

/** The allowance after the taper of £1 for every full £2, which leaves it rounded up to a whole pound (Income Tax Act 2007 s.35). */
function personalAllowance(rules: TaxRules, totalPence: number): number {
  const poundsLost = Math.floor(Math.max(0, totalPence - rules.taperStartPence) / 200)
  return Math.max(0, rules.personalAllowancePence - poundsLost * 100)
}

/** The band that the top of taxable income lies in. A threshold itself belongs to the band below. */
function topBand(rules: TaxRules, taxablePence: number): Band {
  if (taxablePence > rules.additionalFromPence) return 'additional'
  return taxablePence > rules.basicBandPence ? 'higher' : 'basic'
}

/** How much of the taxable income between two positions lies in each band. */
function acrossBands(rules: TaxRules, from: number, to: number): Record<Band, number> {
  const between = (low: number, high: number) => Math.max(0, Math.min(to, high) - Math.max(from, low))
  return {
    basic: between(0, rules.basicBandPence),
    higher: between(rules.basicBandPence, rules.additionalFromPence),
    additional: between(rules.additionalFromPence, to),
  }
}

function otherIncomeTax(rules: TaxRules, taxablePence: number): TaxUnits {
  const amounts = acrossBands(rules, 0, taxablePence)
  return bands.reduce((sum, band) => sum + amounts[band] * rules.otherIncomeRatesBp[band], 0)
}

type Part = readonly [band: TaxSlice['band'], amountPence: number, rateBp: number]

/** Each part's tax is the step of the rounded running total, so that the parts add up to the tax due without a penny over. */
function toSlices(parts: readonly Part[]): { slices: TaxSlice[]; units: TaxUnits } {
  let units = 0
  const slices = parts
    .filter(([, amountPence]) => amountPence > 0)
    .map(([band, amountPence, rateBp]) => {
      const before = toPenny(units)
      units += amountPence * rateBp
      return { band, amountPence, rateBp, taxPence: toPenny(units) - before }
    })
  return { slices, units }
}

/**
 * Tax on a year's savings interest. Order: the personal allowance against other income, then against interest; the starting rate; the
 * personal savings allowance, whose size depends on all taxable income with the interest in it; then the savings rates by position. What is
 * taxed at 0 % still takes up room in the bands.
 */
export function savingsTax({ taxYear, incomePence, interestPence }: SavingsTaxRequest): SavingsTax {
  const rules = taxRules(taxYear)
  const allowance = personalAllowance(rules, incomePence + interestPence)
  const taxableIncome = Math.max(0, incomePence - allowance)
  const allowanceOnInterest = Math.min(Math.max(0, allowance - incomePence), interestPence)
  const interestAbove = interestPence - allowanceOnInterest
  const top = topBand(rules, taxableIncome + interestAbove)

  const startingRate = Math.max(0, rules.startingRateBandPence - taxableIncome)
  const startingRateUsed = Math.min(startingRate, interestAbove)
  const savingsAllowance = rules.savingsAllowancePence[top]
  const savingsAllowanceUsed = Math.min(savingsAllowance, interestAbove - startingRateUsed)
  const taxable = interestAbove - startingRateUsed - savingsAllowanceUsed
  const amounts = acrossBands(rules, taxableIncome + interestAbove - taxable, taxableIncome + interestAbove)

  const { slices, units } = toSlices([
    ['personal-allowance', allowanceOnInterest, 0],
    ['starting-rate', startingRateUsed, 0],
    ['personal-savings-allowance', savingsAllowanceUsed, 0],
    ...bands.map((band): Part => [band, amounts[band], rules.savingsRatesBp[band]]),
  ])
  const withoutInterest = Math.max(0, incomePence - personalAllowance(rules, incomePence))
  const otherTaxRise = otherIncomeTax(rules, taxableIncome) - otherIncomeTax(rules, withoutInterest)
  return {
    rules,
    band: taxableIncome + interestAbove === 0 ? 'none' : top,
    personalAllowancePence: allowance,
    allowanceOnInterestPence: allowanceOnInterest,
    startingRateAvailablePence: startingRate,
    startingRateUsedPence: startingRateUsed,
    savingsAllowancePence: savingsAllowance,
    savingsAllowanceUsedPence: savingsAllowanceUsed,
    taxableInterestPence: taxable,
    slices,
    taxPence: toPenny(units),
    extraTaxPence: toPenny(units + otherTaxRise),
    isSelfAssessmentRequired: interestPence > selfAssessmentAbovePence,
  }
}
