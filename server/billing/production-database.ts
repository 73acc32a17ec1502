import type { Pool } from 'pg'
import { hasServedProduction, holdsLivePurchases, setServesProduction } from './production-database.store.ts'

/** Marks the database as used in production. Writes only the first time, so that starting on a read-only database doesn't fail. */
export async function markProductionDatabase(pool: Pool): Promise<void> {
  if (!(await hasServedProduction(pool))) await setServesProduction(pool)
}

/**
 * Refuses to start development features (simulated payments, readable email, generated market data) on a production database. Runs before migrations, so that
 * a refused start changes nothing. @throws with instructions
 */
export async function refuseProductionDatabase(pool: Pool): Promise<void> {
  const reason = (await hasServedProduction(pool))
    ? 'has been used in production'
    : (await holdsLivePurchases(pool))
      ? 'holds purchases paid with real money'
      : null
  if (reason === null) return
  throw new Error(`This database ${reason}, so development features must not run on it. Use another database, or set NODE_ENV=production.`)
}
