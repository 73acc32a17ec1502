import type { Product } from '../product.ts'
import { toCompounding } from './compounding.ts'
import type { SimulationTerms } from './simulate.ts'

/** Parses a `boostDuration` such as `12 months`; null for anything else. */
function boostMonths(duration: string | null): number | null {
  const match = /^(\d{1,4}) months?$/.exec(duration ?? '')
  return match ? Number(match[1]) : null
}

/** Converts a product to simulation terms. A bonus of unknown length is left out, because it must not be promised. */
export function productTerms(product: Product): SimulationTerms {
  return {
    baseRateBp: product.baseRateBp,
    boostRateBp: product.boostRateBp,
    boostMonths: product.boostRateBp > 0 ? (boostMonths(product.boostDuration) ?? 0) : 0,
    compounding: toCompounding(product.interestPaid) ?? 'annually',
    termMonths: product.termMonths,
  }
}

/** Terms of a constant rate, compounded yearly. */
export function plainTerms(rateBp: number): SimulationTerms {
  return { baseRateBp: rateBp, boostRateBp: 0, boostMonths: 0, compounding: 'annually', termMonths: null }
}
