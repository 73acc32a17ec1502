import type { ProductType } from '#server/api/contract/account-types.ts'
import { isaRules } from './calculators/isa-allowance.ts'
import { knownTaxYear, lastTaxYear, type TaxYear, taxYears, toTaxYear } from './calculators/tax-year.ts'
import { grouped, pounds } from './decimal.ts'
import type { Product } from './product.ts'

/** Largest amount of new money that a product accepts per month or tax year. */
type Limit = { readonly pence: number; readonly per: 'month' | 'tax year' }

/**
 * Returns the allowance of an ISA type in a tax year, in pence; null for other types. For cash ISAs, this is the limit for everyone: older savers may pay in
 * more. Money transferred from another ISA doesn't count.
 */
export function yearlyAllowance(type: ProductType, taxYear: TaxYear): number | null {
  const rules = isaRules(taxYear)
  switch (type) {
    case 'cash-isa':
      return Math.min(rules.cashLimitUnder65Pence, rules.cashLimitFrom65Pence)
    case 'stocks-shares-isa':
      return rules.overallLimitPence
    case 'lifetime-isa':
      return rules.lifetimeLimitPence
    case 'junior-isa':
      return rules.juniorLimitPence
    default:
      return null
  }
}

/** Returns the tax year of a date in London; outside the years with known rules, the nearest of them. */
export function payableTaxYear(date: string): TaxYear {
  const [first] = taxYears
  return knownTaxYear(toTaxYear(date)) ?? lastTaxYear(date)?.taxYear ?? first
}

/** Returns the limit that stops an amount from being paid in at once; null if it can be. */
function exceededLimit({ accountType, maxMonthlyDepositPence }: Product, amountPence: number, taxYear: TaxYear): Limit | null {
  if (maxMonthlyDepositPence !== null && amountPence > maxMonthlyDepositPence) return { pence: maxMonthlyDepositPence, per: 'month' }
  const allowance = yearlyAllowance(accountType, taxYear)
  return allowance !== null && amountPence > allowance ? { pence: allowance, per: 'tax year' } : null
}

/** Explains how much of an amount can be paid in now, and how long the rest takes; null if it can be paid in at once. */
export function payableReason(product: Product, amountPence: number, taxYear: TaxYear): string | null {
  const limit = exceededLimit(product, amountPence, taxYear)
  if (limit === null) return null
  const periods = Math.ceil(amountPence / limit.pence)
  const share = pounds(limit.pence)
  return `Takes ${share} of ${pounds(amountPence)} now, then up to ${share} a ${limit.per} (${grouped(periods)} ${limit.per}s)`
}
