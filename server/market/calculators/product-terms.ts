import type { Product } from '../product.ts'
import { compoundingOf } from './compounding.ts'
import type { SimulationTerms } from './simulate.ts'

/** Months of a `boostDuration` like `12 months`; null when it says something else. */
function boostMonths(duration: string | null): number | null {
  const match = /^(\d{1,4}) months?$/.exec(duration ?? '')
  return match ? Number(match[1]) : null
}

/** The terms of a product. A bonus of unknown length is left out, because it must not be promised. */
export function productTerms(product: Product): SimulationTerms {
  return {
    baseRateBp: product.baseRateBp,
    boostRateBp: product.boostRateBp,
    boostMonths: product.boostRateBp > 0 ? (boostMonths(product.boostDuration) ?? 0) : 0,
    compounding: compoundingOf(product.interestPaid) ?? 'annually',
    termMonths: product.termMonths,
  }
}

/** A yearly rate that compounds once a year and stays. */
export function plainTerms(rateBp: number): SimulationTerms {
  return { baseRateBp: rateBp, boostRateBp: 0, boostMonths: 0, compounding: 'annually', termMonths: null }
}
