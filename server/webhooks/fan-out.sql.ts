/**
 * Fan-out of events to endpoints. Prisma has no `INSERT … SELECT`, which matches a batch of events with all subscriptions in one statement, and no `DELETE …
 * RETURNING`.
 */
import type { AccountEventType, LowBalance } from '#server/api/contract/webhooks.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type DatabaseTime, wakeQueues } from './queue.sql.ts'
import type { OutgoingEvent, WrittenData } from './webhook-deps.ts'

/** Keeps events from being fanned out until the transaction ends. */
export async function lockProgress(tx: Transaction): Promise<void> {
  await tx.query('SELECT FROM webhook_progress FOR SHARE')
}

/** Skips all pending events, unless an endpoint has been created in the meantime. Creating an endpoint takes the same lock, so no endpoint misses an event. */
export async function skipEvents(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('SELECT FROM webhook_progress FOR UPDATE')
    await tx.query(
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
  SELECT DISTINCT endpoint_id AS id FROM made`

const column = <Key extends keyof OutgoingEvent>(events: readonly OutgoingEvent[], key: Key) => events.map((event) => event[key])

/**
 * Creates the deliveries for a batch of events and advances the progress past them, in one transaction. Does nothing and returns false if another process has
 * already advanced the progress.
 */
export async function insertDeliveries(db: Database, now: DatabaseTime, after: number, last: number, events: readonly OutgoingEvent[]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const moved = await tx.query('UPDATE webhook_progress SET after_seq = $2 WHERE after_seq = $1', [after, last])
    if (moved.rowCount !== 1) return false
    await tx.query(
      `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [column(events, 'id'), column(events, 'type'), column(events, 'createdAt'), column(events, 'data'), column(events, 'dataWithLogos')],
    )
    const { rows } = await tx.query<{ id: number }>(matchSql, [
      now,
      column(events, 'seq'),
      column(events, 'id'),
      column(events, 'type'),
      column(events, 'providerSlug'),
      column(events, 'accountType'),
      column(events, 'rateChangeBp'),
    ])
    await wakeQueues(
      tx,
      now,
      rows.map(({ id }) => id),
    )
    return true
  })
}

/** Account event with the endpoints subscribed to it when it happened. Type and data are written together by `notify_low_balance`. */
export type AccountEventRow = {
  eventId: string
  account: string
  type: AccountEventType
  facts: Pick<LowBalance, 'thresholdCredits' | 'balanceCredits'>
  endpoints: number[]
  at: Date
}

/** Locks the rows instead of skipping locked ones: concurrent callers wait and process later events, so an account's events keep their order. */
async function takeEvents(tx: Transaction, max: number): Promise<AccountEventRow[]> {
  const { rows } = await tx.query<AccountEventRow>(
    `WITH taken AS (DELETE FROM account_event WHERE id IN (SELECT id FROM account_event ORDER BY id LIMIT $1 FOR UPDATE) RETURNING *)
     SELECT t.event_id AS "eventId", a.public_id AS account, t.type, t.data AS facts, t.endpoints, t.at FROM taken t JOIN account a ON a.id = t.account_id ORDER BY t.id`,
    [max],
  )
  return rows
}

const deliverSql = `WITH made AS (
    INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, is_free, due_at, created_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, true, t.now, t.now
    FROM unnest($2::text[], $3::text[], $4::int[]) WITH ORDINALITY AS v(id, type, endpoint, n)
      CROSS JOIN (SELECT coalesce($1::timestamptz, statement_timestamp()) AS now) t
      JOIN webhook_endpoint e ON e.id = v.endpoint AND v.type = ANY (e.types) AND e.state IN ('active', 'paused', 'held')
      JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
      JOIN account a ON a.id = e.account_id AND a.closed_at IS NULL
    ORDER BY v.n
    ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id)
  SELECT DISTINCT endpoint_id AS id FROM made`

/** Turns the oldest events, at most `max`, into deliveries in one transaction. Returns the number of events taken. */
export async function forwardEvents(db: Database, now: DatabaseTime, max: number, write: (row: AccountEventRow) => WrittenData): Promise<number> {
  return inTransaction(db, async (tx) => {
    const events = await takeEvents(tx, max)
    if (events.length === 0) return 0
    const written = events.map(write)
    await tx.query(
      `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [
        events.map(({ eventId }) => eventId),
        events.map(({ type }) => type),
        events.map(({ at }) => at),
        written.map(({ data }) => data),
        written.map(({ dataWithLogos }) => dataWithLogos),
      ],
    )
    const pairs = events.flatMap(({ eventId: id, type, endpoints }) => endpoints.map((endpoint) => ({ id, type, endpoint })))
    const { rows } = await tx.query<{ id: number }>(deliverSql, [
      now,
      pairs.map(({ id }) => id),
      pairs.map(({ type }) => type),
      pairs.map(({ endpoint }) => endpoint),
    ])
    await wakeQueues(
      tx,
      now,
      rows.map(({ id }) => id),
    )
    return events.length
  })
}
