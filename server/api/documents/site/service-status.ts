import type { DocsData } from '../docs/docs-data.ts'
import { type PublicFigure, publicFigures } from '../docs/public-figures.ts'

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
  /** True if the last change is older than a daily refresh would explain. */
  readonly isRatesOld: boolean
  readonly sources: readonly PublicFigure[]
}

const dayMs = 86_400_000
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
