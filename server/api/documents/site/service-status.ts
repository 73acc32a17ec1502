import { dayMs } from '#server/api/contract/dates.ts'
import type { DocsData } from '../published-values.ts'

/** Returns the public statistics with their publishers. `asOf` is the date of the latest value; null if none was ever loaded. */
export function publicFigures({ live: { statistics } }: DocsData) {
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

/** `working`: everything is up and current; `behind`: everything is up, but some data is out of date; `broken`: something is down. */
export type ServiceState = 'working' | 'behind' | 'broken'

const freshDays = 3

function getChecks({ database, writable, migrated, market }: Readiness) {
  const isKept = database && writable === true && migrated === true
  return [
    { name: 'API and tools', works: isKept && market, text: 'API calls work and are charged.' },
    { name: 'Accounts and credits', works: isKept, text: 'The database is reachable and writable, and has the schema of this release.' },
    { name: 'Market data', works: market, text: 'Live products are loaded.' },
  ]
}

/**
 * Builds the current status. `ratesChangedAt` is the time of the last change to the live market, ISO 8601 UTC, or null if there was none. `now` is in
 * milliseconds since 1970.
 */
export function serviceStatus(ready: Readiness, facts: DocsData, now: number) {
  const checks = getChecks(ready)
  const sources = publicFigures(facts)
  const ratesChangedAt = facts.live.figures.asOf
  const isRatesOld = ratesChangedAt === null || now - Date.parse(ratesChangedAt) > freshDays * dayMs
  const isBehind = isRatesOld || sources.some(({ isStale }) => isStale)
  const state: ServiceState = checks.some(({ works }) => !works) ? 'broken' : isBehind ? 'behind' : 'working'
  return { state, checks, ratesChangedAt, isRatesOld, sources }
}
