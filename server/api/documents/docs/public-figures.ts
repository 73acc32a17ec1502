import type { DocsFacts } from './docs-facts.ts'

/** A public statistic and where it comes from. */
export type PublicFigure = {
  readonly figure: string
  readonly source: string
  /** The newest day that the source confirmed; null when it was never read. */
  readonly asOf: string | null
  readonly isStale: boolean
}

/** Public statistics with their publisher and the newest day that it confirmed. */
export function publicFigures({ live: { statistics } }: DocsFacts): PublicFigure[] {
  const [fx] = statistics.fxRates('EUR')
  const found = [
    ['Bank Rate', statistics.bankRate()],
    ['Key rates of the ECB', statistics.ecbRates()],
    ['Inflation', statistics.inflation()],
    ['Exchange rates', fx && { ...fx, asOf: fx.date }],
  ] as const
  return found.map(([figure, one]) => ({ figure, source: one?.source ?? 'Not loaded', asOf: one?.asOf ?? null, isStale: one?.stale ?? true }))
}
