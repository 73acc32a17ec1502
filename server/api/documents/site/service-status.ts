import { dayMs } from '#server/api/contract/dates.ts'
import { type Incident, type IncidentImpact, incidentImpactNames } from '#server/api/contract/incidents.ts'
import type { DocsData } from '../published-values.ts'

/**
 * Returns the public statistics with their publishers. Public and admin pages both use this function, so that they agree on freshness. `asOf` is the date of
 * the latest value; null if none was ever loaded.
 */
export function publicFigures({ live: { statistics } }: { readonly live: Pick<DocsData['live'], 'statistics'> }) {
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

/** `working`: everything is up; `broken`: a check is failing; otherwise the worst impact of the open incidents. The age of the data does not matter. */
export type ServiceState = 'working' | 'broken' | IncidentImpact

const freshDays = 3

function getChecks({ database, writable, migrated, market }: Readiness) {
  const isKept = database && writable === true && migrated === true
  return [
    { name: 'API and tools', works: isKept && market, text: 'API and MCP calls are working.' },
    { name: 'Accounts and credits', works: isKept, text: 'The database is reachable, writable and up to date.' },
    { name: 'Market data', works: market, text: 'Live products are loaded.' },
  ]
}

/** Builds the current state of the service from its checks and its incidents. */
export function serviceStatus(ready: Readiness, incidents: readonly Incident[]) {
  const checks = getChecks(ready)
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null)
  const worst = incidentImpactNames.find((impact) => open.some((incident) => incident.impact === impact))
  const state: ServiceState = checks.some(({ works }) => !works) ? 'broken' : (worst ?? 'working')
  return { state, checks }
}

/**
 * Returns the age of the live data. `ratesChangedAt` is the time of the last change to the live market, ISO 8601 UTC, or null if there was none. `now` is in
 * milliseconds since 1970.
 */
export function dataFreshness(facts: DocsData, now: number) {
  const ratesChangedAt = facts.live.figures.asOf
  const isRatesOld = ratesChangedAt === null || now - Date.parse(ratesChangedAt) > freshDays * dayMs
  return { ratesChangedAt, isRatesOld, sources: publicFigures(facts) }
}
