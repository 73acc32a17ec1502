import type { Pool } from 'pg'

/** Purchases that no real money paid for, simulated or of Stripe's test mode, and that no refund took back in full. */
const unreversed = "t.mode <> 'live' AND t.state = 'paid' AND t.refunded_credits < t.credits"

export type SimulatedRow = { id: string; top_up: string; account: string; mode: 'test' | 'simulated'; credits: string }

/** A page of them, oldest first. `credits` is what is still on the balance or was spent from it: a dispute may have taken some back already. */
export async function readSimulated(pool: Pool, afterId: string, limit: number): Promise<SimulatedRow[]> {
  const { rows } = await pool.query<SimulatedRow>(
    `SELECT t.id, t.public_id AS top_up, a.public_id AS account, t.mode, t.credits - t.refunded_credits - t.disputed_credits AS credits
     FROM top_up t JOIN account a ON a.id = t.account_id WHERE ${unreversed} AND t.id > $1 ORDER BY t.id LIMIT $2`,
    [afterId, limit],
  )
  return rows
}

export async function countSimulated(pool: Pool): Promise<{ purchases: number; credits: string }> {
  const { rows } = await pool.query<{ purchases: number; credits: string }>(
    `SELECT count(*)::int AS purchases, coalesce(sum(t.credits - t.refunded_credits - t.disputed_credits), 0) AS credits FROM top_up t WHERE ${unreversed}`,
  )
  return rows[0] ?? { purchases: 0, credits: '0' }
}

/** Takes a purchase back as a full refund does: entry, balance and notice in one statement. A purchase that is reversed already stays as it is. */
export async function reverseSimulated(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `SELECT apply_refund(NULL, NULL, false, clock_timestamp(), t.payment_intent_id, 're_reversed_' || t.public_id, t.amount_pence, 'reversed', true, 1)
     FROM top_up t WHERE ${unreversed} AND t.id = $1`,
    [id],
  )
}
