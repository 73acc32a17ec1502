import type { Pool } from 'pg'

/** Counting stops here: no one needs an exact number above this. */
const maxCounted = 100_000

export type QueueDepthRow = { waiting: number; oldest: Date | null; untold: number }

/** Counts waiting deliveries and market events without deliveries, and returns when the oldest due queue became due. */
export async function readQueueDepth(pool: Pool): Promise<QueueDepthRow> {
  const { rows } = await pool.query<QueueDepthRow>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM webhook_delivery WHERE state = 'waiting' LIMIT ${maxCounted}) d) AS waiting,
       (SELECT min(next_at) FROM webhook_endpoint WHERE state = 'active' AND next_at <= now()) AS oldest,
       (SELECT count(*)::int FROM (SELECT FROM market_event e, webhook_progress p WHERE e.seq > p.after_seq LIMIT ${maxCounted}) e) AS untold`,
  )
  return rows[0] ?? { waiting: 0, oldest: null, untold: 0 }
}
