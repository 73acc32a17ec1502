import type { Pool } from 'pg'
import { hasServedProduction, holdsLivePurchases, setServesProduction } from './production-database.store.ts'

/** Marks the database as one that production uses. Writes only the first time, so a start on a read-only database does not fail because of it. */
export async function markProductionDatabase(pool: Pool): Promise<void> {
  if (!(await hasServedProduction(pool))) await setServesProduction(pool)
}

/**
 * Keeps development features (simulated payments, readable email, generated market data) off a database that production uses. Works before migrations are
 * applied, so that a refused start changes nothing. @throws with what to do
 */
export async function refuseProductionDatabase(pool: Pool): Promise<void> {
  const reason = (await hasServedProduction(pool))
    ? 'has been used in production'
    : (await holdsLivePurchases(pool))
      ? 'holds purchases paid with real money'
      : null
  if (reason === null) return
  throw new Error(`This database ${reason}, so no development features may run on it; use another database, or set NODE_ENV=production.`)
}
