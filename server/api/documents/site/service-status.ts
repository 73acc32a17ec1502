import { dayMs } from '#server/api/contract/dates.ts'
import type { DocsData } from '../published-values.ts'

/** Public statistic with its source. */
type PublicFigure = {
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

/** Results of the readiness checks. */
export type Readiness = { readonly database: boolean; readonly writable: boolean | null; readonly migrated: boolean | null; readonly market: boolean }

type Check = { readonly name: string; readonly works: boolean; readonly text: string }

/** `working`: everything is up and current; `behind`: everything is up, but some data is out of date; `broken`: something is down. */
export type ServiceState = 'working' | 'behind' | 'broken'

/** Content of the status page. */
export type ServiceStatus = {
  readonly state: ServiceState
  readonly checks: readonly Check[]
  /** Last change of the live market, ISO 8601 UTC; null if there was none. */
  readonly ratesChangedAt: string | null
  /** True if the market has not changed for more than `freshDays` days, or never changed. */
  readonly isRatesOld: boolean
  readonly sources: readonly PublicFigure[]
}

const freshDays = 3

function getChecks({ database, writable, migrated, market }: Readiness): Check[] {
  const isKept = database && writable === true && migrated === true
  return [
    { name: 'API and tools', works: isKept && market, text: 'API calls work and are charged.' },
    { name: 'Accounts and credits', works: isKept, text: 'The database is reachable and writable, and has the schema of this release.' },
    { name: 'Market data', works: market, text: 'Live products are loaded.' },
  ]
}

/** Builds the current status. `now` is in milliseconds since 1970. */
export function serviceStatus(ready: Readiness, facts: DocsData, now: number): ServiceStatus {
  const checks = getChecks(ready)
  const sources = publicFigures(facts)
  const ratesChangedAt = facts.live.figures.asOf
  const isRatesOld = ratesChangedAt === null || now - Date.parse(ratesChangedAt) > freshDays * dayMs
  const state = isRatesOld || sources.some(({ isStale }) => isStale) ? 'behind' : 'working'
  return { state: checks.every(({ works }) => works) ? state : 'broken', checks, ratesChangedAt, isRatesOld, sources }
}
