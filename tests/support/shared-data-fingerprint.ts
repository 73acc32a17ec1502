/** Fingerprint of the data that test files share, used to check that a file has left a borrowed service as it found it. */

import { verifyLedger } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { endPool, openTestPool, watched } from './test-pool.ts'

/**
 * Tables that are not part of the fingerprint: tables with account data, to which each test adds its own rows, and service_state, whose versions show only that
 * something may have changed.
 */
const ofAccounts =
  /^(?:account|api_key|attempt|audit_entry|auto_top_up|balance_alert|billing_.*|email_token|idempotency|key_.*|ledger_entry|mail.*|payment_.*|portal_session|provider_identity|recovery_code|request_.*|second_factor|service_state|stripe_.*|top_up|usage_.*|wallet|webhook_.*)$/

async function withPool<T>(databaseUrl: string, use: (pool: Database) => Promise<T>): Promise<T> {
  const pool = watched(openTestPool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 10_000, statement_timeout: 60_000 }))
  try {
    return await use(pool)
  } finally {
    await endPool(pool)
  }
}

/** Returns the version numbers that are incremented with every change to shared data. */
export const stateVersion = (databaseUrl: string): Promise<string> =>
  withPool(databaseUrl, async (pool) => JSON.stringify((await pool.query('SELECT version, market_version FROM service_state')).rows))

/** Increments the version numbers, so that each process reloads all shared data. */
export const announceChange = (databaseUrl: string): Promise<unknown> =>
  withPool(databaseUrl, (pool) => pool.query('UPDATE service_state SET version = version + 1, market_version = market_version + 1'))

/**
 * Returns a fingerprint of all data that accounts share. It changes if any row of the market, the settings or the changelog changes, or if the ledger does
 * not balance.
 */
export const sharedState = (databaseUrl: string): Promise<string> =>
  withPool(databaseUrl, async (pool) => {
    const tables = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    )
    const shared = tables.rows.map(({ name }) => name).filter((name) => !ofAccounts.test(name))
    const sums = shared.map((name) => `SELECT '${name}' AS name, count(*), sum(hashtextextended(t::text, 0)::numeric) FROM "${name}" t`)
    const { rows } = await pool.query(sums.join(' UNION ALL '))
    return JSON.stringify([rows, (await verifyLedger(pool)).differences])
  })
