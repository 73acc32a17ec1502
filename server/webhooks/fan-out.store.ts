import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { OutgoingEvent } from './webhook-deps.ts'

export type Progress = {
  /** Sequence number of the last event turned into deliveries. */
  readonly after: number
  /** Number of endpoints that can receive events; if 0, events are skipped without reading them. */
  readonly receivers: number
}

export async function readProgress(pool: Pool): Promise<Progress> {
  const { rows } = await pool.query<{ after_seq: string; receivers: number }>(
    `SELECT after_seq, (SELECT count(*)::int FROM webhook_endpoint WHERE state IN ('active', 'paused', 'held')) AS receivers FROM webhook_progress`,
  )
  return { after: Number(rows[0]?.after_seq ?? 0), receivers: rows[0]?.receivers ?? 0 }
}

/** Skips all pending events unless an endpoint has been created meanwhile. Endpoint creation takes the same lock, so no endpoint misses an event. */
export async function skipEvents(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('SELECT FROM webhook_progress FOR UPDATE')
    await client.query(
      `UPDATE webhook_progress SET after_seq = m.seq FROM (SELECT max(seq) AS seq FROM market_event) m
       WHERE m.seq > after_seq AND NOT EXISTS (SELECT FROM webhook_endpoint WHERE state IN ('active', 'paused', 'held'))`,
    )
  })
}

const matchSql = `WITH made AS (
    INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, due_at, created_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, t.now, t.now
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) AS v(seq, id, type, provider, account_type, change)
      CROSS JOIN (SELECT coalesce($1::timestamptz, statement_timestamp()) AS now) t
      JOIN webhook_endpoint e ON v.type = ANY (e.types) AND v.seq > e.since_seq AND e.state IN ('active', 'paused', 'held')
        AND (e.providers = '{}' OR v.provider = ANY (e.providers))
        AND (e.account_types = '{}' OR v.account_type IS NULL OR v.account_type = ANY (e.account_types))
        AND (e.min_change_bp IS NULL OR v.change IS NULL OR abs(v.change) >= e.min_change_bp)
      JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
      JOIN account a ON a.id = e.account_id AND a.closed_at IS NULL
    ORDER BY v.seq, e.id
    ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id)
  SELECT DISTINCT endpoint_id FROM made`

/**
 * Makes queues due at once, unless their endpoint is backing off. Includes held endpoints: one that is being resumed concurrently has not seen the new
 * deliveries.
 */
export async function wakeQueues(client: PoolClient, now: DatabaseTime, endpoints: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint w SET next_at = greatest(least(w.next_at, coalesce($1::timestamptz, statement_timestamp())), w.rests_until)
     FROM (SELECT id FROM webhook_endpoint WHERE id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`,
    [now, endpoints],
  )
}

const column = <Key extends keyof OutgoingEvent>(events: readonly OutgoingEvent[], key: Key) => events.map((event) => event[key])

/**
 * Creates the deliveries of some events and advances the progress past them in one transaction. Returns false, having done nothing, if another process has
 * advanced it meanwhile.
 */
export async function insertDeliveries(pool: Pool, now: DatabaseTime, after: number, last: number, events: readonly OutgoingEvent[]): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const moved = await client.query('UPDATE webhook_progress SET after_seq = $2 WHERE after_seq = $1', [after, last])
    if (moved.rowCount !== 1) return false
    await client.query(
      `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [column(events, 'id'), column(events, 'type'), column(events, 'createdAt'), column(events, 'data'), column(events, 'dataWithLogos')],
    )
    const { rows } = await client.query<{ endpoint_id: string }>(matchSql, [
      now,
      column(events, 'seq'),
      column(events, 'id'),
      column(events, 'type'),
      column(events, 'providerSlug'),
      column(events, 'accountType'),
      column(events, 'rateChangeBp'),
    ])
    await wakeQueues(
      client,
      now,
      rows.map(({ endpoint_id: id }) => id),
    )
    return true
  })
}
