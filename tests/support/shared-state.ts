import { Pool } from 'pg'
import { verifyLedger } from '../../server/billing/ledger.ts'
import { endPool, watched } from './own-database.ts'

/** Tables of accounts and of what they do: each test makes its own rows there. The versions of service_state only tell that something may have changed. */
const ofAccounts =
  /^(?:account|api_key|attempt|audit_entry|auto_top_up|balance_alert|billing_.*|email_token|idempotency|key_.*|ledger_entry|mail.*|payment_.*|portal_session|provider_identity|recovery_code|request_.*|second_factor|service_state|stripe_.*|top_up|usage_.*|wallet|webhook_.*)$/

/**
 * One text for everything that all accounts share: it is another one when a row of the market, of the settings or of the changelog is, and when the books do
 * not balance.
 */
export async function sharedState(databaseUrl: string): Promise<string> {
  const pool = watched(new Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 10_000, statement_timeout: 60_000 }))
  try {
    const tables = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    )
    const shared = tables.rows.map(({ name }) => name).filter((name) => !ofAccounts.test(name))
    const sums = shared.map((name) => `SELECT '${name}' AS name, count(*), sum(hashtextextended(t::text, 0)::numeric) FROM "${name}" t`)
    const { rows } = await pool.query(sums.join(' UNION ALL '))
    return JSON.stringify([rows, (await verifyLedger(pool)).differences])
  } finally {
    await endPool(pool)
  }
}
