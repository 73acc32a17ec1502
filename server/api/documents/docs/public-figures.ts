import type { DocsData } from './docs-data.ts'

/** Public statistic with its source. */
export type PublicFigure = {
  readonly figure: string
  readonly source: string
  /** Date of the latest value from the source; null if it was never loaded. */
  readonly asOf: string | null
  readonly isStale: boolean
}

/** Returns the public statistics with their publisher and the date of the latest value. */
export function publicFigures({ live: { statistics } }: DocsData): PublicFigure[] {
  const [fx] = statistics.fxRates('EUR')
  const found = [
    ['Bank Rate', statistics.bankRate()],
    ['ECB key rates', statistics.ecbRates()],
    ['Inflation', statistics.inflation()],
    ['Exchange rates', fx && { ...fx, asOf: fx.date }],
  ] as const
  return found.map(([figure, one]) => ({ figure, source: one?.source ?? 'Not loaded', asOf: one?.asOf ?? null, isStale: one?.stale ?? true }))
}
