import type { Pool } from 'pg'

/** Beyond so many nobody needs the exact number. */
const mostCounted = 100_000

export type QueueDepthRow = { waiting: number; oldest: Date | null; untold: number }

/** Deliveries that wait, the oldest that is due, and events of the market of which no delivery has been made yet. */
export async function readQueueDepth(pool: Pool): Promise<QueueDepthRow> {
  const { rows } = await pool.query<QueueDepthRow>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM webhook_delivery WHERE state = 'waiting' LIMIT ${mostCounted}) d) AS waiting,
       (SELECT min(next_at) FROM webhook_endpoint WHERE state = 'active' AND next_at <= now()) AS oldest,
       (SELECT count(*)::int FROM (SELECT FROM market_event e, webhook_progress p WHERE e.seq > p.after_seq LIMIT ${mostCounted}) e) AS untold`,
  )
  return rows[0] ?? { waiting: 0, oldest: null, untold: 0 }
}
