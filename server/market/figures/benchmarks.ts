import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Statistics } from '../statistics/statistics.ts'

/** Market average published by the Bank of England, for comparison with ours. */
export type Benchmark = {
  /** Series code in the Bank's database. */
  readonly series: string
  readonly label: string
  readonly valueBp: number
  /** Last day of the month the value is for, ISO date. */
  readonly asOf: string
  readonly source: string
  readonly licence: string
  readonly stale: boolean
}

/**
 * Series codes by account type and term in months, most comparable first: our rates include bonuses. Types without a series are omitted; the Bank
 * no longer maintains its averages for notice accounts.
 */
const series: Partial<Record<ProductType, Readonly<Record<string, readonly string[]>>>> = {
  'easy-access': { none: ['IUMB6VJ', 'IUMB6VK'] },
  'cash-isa': { none: ['IUMB6VL', 'IUMB6VM'], 12: ['IUMB6VN'], 24: ['IUMZID2'] },
  'fixed-rate': { 12: ['IUMWTFA'], 24: ['IUMB6RH'], 36: ['IUMB6RI'] },
}

/** Returns a function that finds the benchmark for a type and term; null if there is none. */
export function indexBenchmarks(statistics: Statistics): (accountType: ProductType, termMonths: number | null) => Benchmark | null {
  const quoted = new Map(statistics.quotedRates().map((rate) => [rate.series, rate]))
  return (accountType, termMonths) => {
    const [found] = (series[accountType]?.[termMonths ?? 'none'] ?? []).flatMap((code) => quoted.get(code) ?? [])
    if (!found || found.valueBp === null) return null
    const { series: code, label, valueBp, asOf, source, licence, stale } = found
    return { series: code, label, valueBp, asOf, source, licence, stale }
  }
}
