import type { ProductType } from '../../contract/account-types.ts'
import type { Statistics } from '../statistics/statistics.ts'

/** An average rate of the market as the Bank of England publishes it, beside which ours can stand. */
export type Benchmark = {
  /** Code in the Bank's database. */
  readonly series: string
  readonly label: string
  readonly valueBp: number
  /** Last day of the month that it is of, ISO date. */
  readonly asOf: string
  readonly source: string
  readonly licence: string
  readonly stale: boolean
}

/**
 * Codes of the series for a type and a term in months, that which is most like our own rates first: ours include bonuses. A type without a series is
 * left out; the Bank's own averages of notice accounts are no longer kept up.
 */
const series: Partial<Record<ProductType, Readonly<Record<string, readonly string[]>>>> = {
  'easy-access': { none: ['IUMB6VJ', 'IUMB6VK'] },
  'cash-isa': { none: ['IUMB6VL', 'IUMB6VM'], 12: ['IUMB6VN'], 24: ['IUMZID2'] },
  'fixed-rate': { 12: ['IUMWTFA'], 24: ['IUMB6RH'], 36: ['IUMB6RI'] },
}

/** Finds the benchmark of a type and a term among what the statistics have; null without one. */
export function benchmarksOf(statistics: Statistics): (accountType: ProductType, termMonths: number | null) => Benchmark | null {
  const quoted = new Map(statistics.quotedRates().map((rate) => [rate.series, rate]))
  return (accountType, termMonths) => {
    const [found] = (series[accountType]?.[termMonths ?? 'none'] ?? []).flatMap((code) => quoted.get(code) ?? [])
    if (!found || found.valueBp === null) return null
    const { series: code, label, valueBp, asOf, source, licence, stale } = found
    return { series: code, label, valueBp, asOf, source, licence, stale }
  }
}
