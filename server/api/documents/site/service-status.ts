import type { DocsFacts } from '../docs/docs-facts.ts'
import { type PublicFigure, publicFigures } from '../docs/public-figures.ts'

/** What a look at the service found: each part works or does not. */
export type Readiness = { readonly database: boolean; readonly writable: boolean | null; readonly migrated: boolean | null; readonly market: boolean }

type Check = { readonly name: string; readonly works: boolean; readonly text: string }

/** Everything works with figures of today, everything works with some that are old, or something does not work. */
export type ServiceState = 'working' | 'behind' | 'broken'

/** The service as its status page tells of it. */
export type ServiceStatus = {
  readonly state: ServiceState
  readonly checks: readonly Check[]
  /** When the live market last changed, ISO 8601 UTC; null when it never did. */
  readonly ratesChangedAt: string | null
  /** Whether that is longer ago than a daily refresh explains. */
  readonly isRatesOld: boolean
  readonly sources: readonly PublicFigure[]
}

const dayMs = 86_400_000
const freshDays = 3

function checksOf({ database, writable, migrated, market }: Readiness): Check[] {
  const isKept = database && writable === true && migrated === true
  return [
    { name: 'API and tools', works: isKept && market, text: 'Calls are answered and charged.' },
    { name: 'Accounts and credits', works: isKept, text: 'The database answers, takes writes, and has the schema of this release.' },
    { name: 'Market data', works: market, text: 'Live products are loaded.' },
  ]
}

/** Puts together what is known at this moment. `now` is in milliseconds since 1970. */
export function serviceStatus(ready: Readiness, facts: DocsFacts, now: number): ServiceStatus {
  const checks = checksOf(ready)
  const sources = publicFigures(facts)
  const ratesChangedAt = facts.live.figures.asOf
  const isRatesOld = ratesChangedAt === null || now - Date.parse(ratesChangedAt) > freshDays * dayMs
  const state = isRatesOld || sources.some(({ isStale }) => isStale) ? 'behind' : 'working'
  return { state: checks.every(({ works }) => works) ? state : 'broken', checks, ratesChangedAt, isRatesOld, sources }
}
