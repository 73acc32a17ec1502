import type { AccountEventType, LowBalance } from '#server/api/contract/webhooks.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { OutgoingEvent, WrittenData } from './webhook-deps.ts'

export type Progress = {
  /** Sequence number of the last event turned into deliveries. */
  readonly after: number
  /** Number of endpoints that can receive events; if 0, events are skipped without reading them. */
  readonly receivers: number
}

export async function readProgress(pool: Database): Promise<Progress> {
  const { rows } = await pool.query<{ after_seq: string; receivers: number }>(
    `SELECT after_seq, (SELECT count(*)::int FROM webhook_endpoint WHERE state IN ('active', 'paused', 'held')) AS receivers FROM webhook_progress`,
  )
  return { after: Number(rows[0]?.after_seq ?? 0), receivers: rows[0]?.receivers ?? 0 }
}

/** Skips all pending events, unless an endpoint has been created in the meantime. Creating an endpoint takes the same lock, so no endpoint misses an event. */
export async function skipEvents(pool: Database): Promise<void> {
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
 * Makes queues due immediately, unless their endpoint is backing off. Includes held endpoints, because a concurrent resume may not have seen the new
 * deliveries.
 */
async function wakeQueues(client: Transaction, now: DatabaseTime, endpoints: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint w SET next_at = greatest(least(w.next_at, coalesce($1::timestamptz, statement_timestamp())), w.rests_until)
     FROM (SELECT id FROM webhook_endpoint WHERE id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`,
    [now, endpoints],
  )
}

const column = <Key extends keyof OutgoingEvent>(events: readonly OutgoingEvent[], key: Key) => events.map((event) => event[key])

/**
 * Creates the deliveries of some events and advances the progress past these events in one transaction. Does nothing and returns false if another process has
 * already advanced the progress.
 */
export async function insertDeliveries(pool: Database, now: DatabaseTime, after: number, last: number, events: readonly OutgoingEvent[]): Promise<boolean> {
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

/** Account event with the endpoints subscribed to it when it happened. Type and data are written together by `notify_low_balance`. */
export type AccountEventRow = {
  event_id: string
  account: string
  type: AccountEventType
  facts: Pick<LowBalance, 'thresholdCredits' | 'balanceCredits'>
  endpoints: string[]
  at: Date
}

/** Locks the rows instead of skipping locked ones: concurrent callers wait and process later events, so an account's events keep their order. */
async function takeEvents(client: Transaction, max: number): Promise<AccountEventRow[]> {
  const { rows } = await client.query<AccountEventRow>(
    `WITH taken AS (DELETE FROM account_event WHERE id IN (SELECT id FROM account_event ORDER BY id LIMIT $1 FOR UPDATE) RETURNING *)
     SELECT t.event_id, a.public_id AS account, t.type, t.data AS facts, t.endpoints, t.at FROM taken t JOIN account a ON a.id = t.account_id ORDER BY t.id`,
    [max],
  )
  return rows
}

const deliverSql = `WITH made AS (
    INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, is_free, due_at, created_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, true, t.now, t.now
    FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS v(id, type, endpoint, n)
      CROSS JOIN (SELECT coalesce($1::timestamptz, statement_timestamp()) AS now) t
      JOIN webhook_endpoint e ON e.id = v.endpoint AND v.type = ANY (e.types) AND e.state IN ('active', 'paused', 'held')
      JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
      JOIN account a ON a.id = e.account_id AND a.closed_at IS NULL
    ORDER BY v.n
    ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id)
  SELECT DISTINCT endpoint_id FROM made`

/** Turns the oldest events, at most `max`, into deliveries in one transaction. Returns the number of events taken. */
export async function forwardEvents(pool: Database, now: DatabaseTime, max: number, write: (row: AccountEventRow) => WrittenData): Promise<number> {
  return inTransaction(pool, async (client) => {
    const events = await takeEvents(client, max)
    if (events.length === 0) return 0
    const written = events.map(write)
    await client.query(
      `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [
        events.map(({ event_id: id }) => id),
        events.map(({ type }) => type),
        events.map(({ at }) => at),
        written.map(({ data }) => data),
        written.map(({ dataWithLogos }) => dataWithLogos),
      ],
    )
    const pairs = events.flatMap(({ event_id: id, type, endpoints }) => endpoints.map((endpoint) => ({ id, type, endpoint })))
    const { rows } = await client.query<{ endpoint_id: string }>(deliverSql, [
      now,
      pairs.map(({ id }) => id),
      pairs.map(({ type }) => type),
      pairs.map(({ endpoint }) => endpoint),
    ])
    await wakeQueues(
      client,
      now,
      rows.map(({ endpoint_id: id }) => id),
    )
    return events.length
  })
}
