import { percent, pounds } from '../decimal.ts'
import type { SavingsTax } from './savings-tax.ts'
import { selfAssessmentAbovePence, type TaxRules } from './tax-rules.ts'
import type { TaxYear } from './tax-year.ts'

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
