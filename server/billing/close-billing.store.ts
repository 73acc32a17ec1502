import type { Pool, PoolClient } from 'pg'
import type { PaymentMode } from './payments.ts'
import { isDue } from './retries.store.ts'

export async function writeClosed(client: PoolClient, accountId: number): Promise<void> {
  await client.query('SELECT close_billing($1)', [accountId])
}

export type LeftOpen = { id: string; topUp: string; session: string | null; attempts: number; isOver: boolean }

/**
 * Returns checkouts that closed accounts left open and that should be closed now. A checkout whose page is still being created is returned once it exists, or after
 * 15 minutes. `isOver` means that it has expired at Stripe by itself.
 */
export async function readLeftOpen(pool: Pool, mode: PaymentMode, limit: number): Promise<LeftOpen[]> {
  const { rows } = await pool.query<LeftOpen>(
    `SELECT t.id, t.public_id AS "topUp", t.checkout_session_id AS session, t.attempts, coalesce(t.expires_at, t.created_at + interval '1 day') < now() AS "isOver"
     FROM top_up t JOIN account a ON a.id = t.account_id AND a.closed_at IS NOT NULL
     WHERE t.state = 'open' AND t.origin = 'checkout' AND t.mode = $1
       AND (t.checkout_session_id IS NOT NULL OR t.created_at < now() - interval '15 minutes') AND ${isDue('t')}
     ORDER BY t.not_before NULLS FIRST, t.id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

/** Marks a checkout as expired. If it was paid after all, the event reopens it. */
export async function writeEnded(pool: Pool, id: string): Promise<void> {
  await pool.query("UPDATE top_up SET state = 'expired' WHERE id = $1 AND state = 'open'", [id])
}
