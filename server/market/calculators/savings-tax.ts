import { percent, pounds } from '../decimal.ts'
import { halfUp } from './interest.ts'
import { type Band, selfAssessmentAbovePence, type TaxRules, type TaxYear, taxRules } from './tax-year.ts'

export const sliceBands = ['personal-allowance', 'starting-rate', 'personal-savings-allowance', 'basic', 'higher', 'additional'] as const

/** Part of the interest that is taxed at one rate. The taxes of all slices add up to the tax due. */
export type TaxSlice = {
  readonly band: (typeof sliceBands)[number]
  readonly amountPence: number
  readonly rateBp: number
  readonly taxPence: number
}

/** Yearly amounts in pence. `incomePence` is all taxable income before tax, excluding savings interest and dividends. */
export type SavingsTaxRequest = { readonly taxYear: TaxYear; readonly incomePence: number; readonly interestPence: number }

/** Pence times basis points. Taxes are summed in this unit and rounded once. */
type TaxUnits = number

const toPenny = (units: TaxUnits) => Number(halfUp(BigInt(units), 10_000n))

const bands = ['basic', 'higher', 'additional'] as const

/**
 * Returns the personal allowance after the taper: £1 less for every full £2 of income above the threshold, so the result rounds up to a whole pound (Income Tax
 * Act 2007 s.35).
 */
function personalAllowance(rules: TaxRules, totalPence: number): number {
  const poundsLost = Math.floor(Math.max(0, totalPence - rules.taperStartPence) / 200)
  return Math.max(0, rules.personalAllowancePence - poundsLost * 100)
}

/** Returns the band of the last pound of taxable income. An amount exactly at a threshold belongs to the lower band. */
function topBand(rules: TaxRules, taxablePence: number): Band {
  if (taxablePence > rules.additionalFromPence) return 'additional'
  return taxablePence > rules.basicBandPence ? 'higher' : 'basic'
}

/** Splits the taxable income between `from` and `to` (in pence) into bands. */
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

/** Sets the tax of each slice to the increase in the rounded running total, so that the slices add up to exactly the tax due. */
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
 * Calculates tax on a year's savings interest. Order: the personal allowance against other income, then against interest; the starting rate; the
 * personal savings allowance, which depends on total taxable income including interest; then the savings rates of the bands that the remaining
 * interest falls into. Income taxed at 0% still uses up the bands. Amounts in pence.
 */
export function savingsTax({ taxYear, incomePence, interestPence }: SavingsTaxRequest) {
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
    band: taxableIncome + interestAbove === 0 ? ('none' as const) : top,
    personalAllowancePence: allowance,
    allowanceOnInterestPence: allowanceOnInterest,
    startingRateAvailablePence: startingRate,
    startingRateUsedPence: startingRateUsed,
    savingsAllowancePence: savingsAllowance,
    savingsAllowanceUsedPence: savingsAllowanceUsed,
    /** Interest taxed above 0%. */
    taxableInterestPence: taxable,
    slices,
    taxPence: toPenny(units),
    /** Total tax caused by the interest: the tax on it, plus tax on other income if it reduces the personal allowance. */
    extraTaxPence: toPenny(units + otherTaxRise),
    isSelfAssessmentRequired: interestPence > selfAssessmentAbovePence,
  }
}

export type SavingsTax = ReturnType<typeof savingsTax>

function orderNote({ isOrderFixed }: TaxRules, taxYear: TaxYear): string {
  const order = `Order of set-off in ${taxYear}: the personal allowance is set against other income first, then against interest`
  return isOrderFixed
    ? `${order}, as required by law from 6 April 2027 (Finance Act 2026, Schedule 1).`
    : `${order}. Until 5 April 2027 the law allows a more beneficial order, which in a few cases lowers total tax by up to £100.00.`
}

function allowanceNote({ rules, personalAllowancePence }: SavingsTax): string {
  const full = pounds(rules.personalAllowancePence)
  if (personalAllowancePence === rules.personalAllowancePence) return `Personal allowance: ${full}.`
  const taper = `reduced by £1 for every £2 of income above ${pounds(rules.taperStartPence)}, interest included`
  return `Personal allowance taper: ${full}, ${taper}, leaves ${pounds(personalAllowancePence)}.`
}

function startingRateNote({ rules, startingRateAvailablePence }: SavingsTax): string {
  const rule = `Starting rate for savings: 0% on up to ${pounds(rules.startingRateBandPence)}, less other income above the personal allowance`
  return `${rule}; ${startingRateAvailablePence === 0 ? 'none is left' : `${pounds(startingRateAvailablePence)} is available`}.`
}

function savingsAllowanceNote({ rules, band, savingsAllowancePence }: SavingsTax): string {
  const reasons = {
    none: 'no income is taxable',
    basic: `taxable income, interest included, is within the basic-rate band of ${pounds(rules.basicBandPence)}`,
    higher: `taxable income, interest included, is above the basic-rate band of ${pounds(rules.basicBandPence)}`,
    additional: `taxable income, interest included, is above ${pounds(rules.additionalFromPence)}`,
  }
  return `Personal savings allowance: ${pounds(savingsAllowancePence)}, because ${reasons[band]}.`
}

function ratesNote({ savingsRatesBp: { basic, higher, additional } }: TaxRules, taxYear: TaxYear): string {
  return `Savings rates in ${taxYear}: ${percent(basic)} basic, ${percent(higher)} higher, ${percent(additional)} additional.`
}

function costNotes({ taxPence, extraTaxPence, isSelfAssessmentRequired }: SavingsTax): string[] {
  const notes: string[] = []
  if (extraTaxPence > taxPence) {
    const more = pounds(extraTaxPence - taxPence)
    notes.push(
      `The interest also reduces the personal allowance, which adds ${more} of tax on other income at the rates for England, Wales and Northern Ireland.`,
    )
  }
  if (isSelfAssessmentRequired)
    notes.push(`Self Assessment: savings and investment income above ${pounds(selfAssessmentAbovePence)} must be reported in a tax return.`)
  return notes
}

/** Explains the rules behind the result, one sentence each, in the order in which they were applied. */
export function savingsTaxNotes(result: SavingsTax, taxYear: TaxYear): string[] {
  return [
    orderNote(result.rules, taxYear),
    allowanceNote(result),
    startingRateNote(result),
    savingsAllowanceNote(result),
    ratesNote(result.rules, taxYear),
    ...costNotes(result),
    'Savings interest is taxed at UK rates and bands in Scotland and Wales too.',
    'Interest counts in the tax year in which it is credited. Interest in an ISA and Premium Bond prizes are excluded; interest on a joint account is split equally.',
  ]
}
