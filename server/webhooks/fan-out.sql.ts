/**
 * Fan-out of events to endpoints. Prisma has no `INSERT … SELECT`, which matches a batch of events with all subscriptions in one statement, and no `DELETE …
 * RETURNING`.
 */
import type { AlertMatched, LowBalance } from '#server/api/contract/webhooks.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type DatabaseTime, wakeQueues } from './queue.sql.ts'
import type { OutgoingEvent, WrittenData } from './webhook-deps.ts'

/** Blocks event fan-out until the transaction ends. */
export async function lockProgress(tx: Transaction): Promise<void> {
  await tx.query('SELECT FROM webhook_progress FOR SHARE')
}

/**
 * Skips all pending market events, unless an endpoint has been created in the meantime. Takes the same lock as creating an endpoint, so no endpoint misses an
 * event.
 */
export async function skipEvents(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('SELECT FROM webhook_progress FOR UPDATE')
    await tx.query(
      `UPDATE webhook_progress SET after_seq = m.seq FROM (SELECT max(seq) AS seq FROM market_event) m
       WHERE m.seq > after_seq AND NOT EXISTS (SELECT FROM webhook_endpoint WHERE state IN ('active', 'paused', 'held'))`,
    )
  })
}

/** Builds a statement that inserts a delivery for each event `v` and matching endpoint `e`, and returns the endpoints. $1 is the current time. */
const deliverySql = (events: string, isMatch: string, order: string, isFree: string) => `WITH made AS (
    INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, is_free, due_at, created_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, ${isFree}, t.now, t.now
    FROM ${events}
      CROSS JOIN (SELECT coalesce($1::timestamptz, statement_timestamp()) AS now) t
      JOIN webhook_endpoint e ON ${isMatch} AND v.type = ANY (e.types) AND e.mode = v.mode AND e.state IN ('active', 'paused', 'held')
      JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
      JOIN account a ON a.id = e.account_id AND a.closed_at IS NULL
    ORDER BY ${order}
    ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id)
  SELECT DISTINCT endpoint_id AS id FROM made`

const marketEventSql = deliverySql(
  'unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::key_mode[]) AS v(seq, id, type, provider, account_type, change, mode)',
  `v.seq > e.since_seq AND (e.providers = '{}' OR v.provider = ANY (e.providers))
        AND (e.account_types = '{}' OR v.account_type IS NULL OR v.account_type = ANY (e.account_types))
        AND (e.min_change_bp IS NULL OR v.change IS NULL OR abs(v.change) >= e.min_change_bp)`,
  'v.seq, e.id',
  // Events of the sample market are free, and are sent even while live data is withheld.
  "v.mode = 'test'",
)

const accountEventSql = deliverySql(
  "(SELECT *, 'live'::key_mode AS mode FROM unnest($2::text[], $3::text[], $4::int[]) WITH ORDINALITY AS u(id, type, endpoint, n)) v",
  'e.id = v.endpoint',
  'v.n',
  'true',
)

type StoredEvent = WrittenData & { readonly id: string; readonly type: string; readonly createdAt: Date | string }

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key) => rows.map((row) => row[key])

/** Stores events, creates their deliveries with the given statement, and makes the endpoints' queues due. */
async function deliver(tx: Transaction, now: DatabaseTime, events: readonly StoredEvent[], sql: string, values: readonly unknown[]): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
    [column(events, 'id'), column(events, 'type'), column(events, 'createdAt'), column(events, 'data'), column(events, 'dataWithLogos')],
  )
  const { rows } = await tx.query<{ id: number }>(sql, [now, ...values])
  await wakeQueues(tx, now, column(rows, 'id'))
}

/**
 * Creates the deliveries for a batch of events and advances the fan-out position past the batch, in one transaction. Does nothing and returns false if another
 * process has already advanced it.
 */
export async function insertDeliveries(db: Database, now: DatabaseTime, after: number, last: number, events: readonly OutgoingEvent[]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const moved = await tx.query('UPDATE webhook_progress SET after_seq = $2 WHERE after_seq = $1', [after, last])
    if (moved.rowCount !== 1) return false
    const keys = ['seq', 'id', 'type', 'providerSlug', 'accountType', 'rateChangeBp', 'mode'] as const
    const values = keys.map((key) => column(events, key))
    await deliver(tx, now, events, marketEventSql, values)
    return true
  })
}

/** Data of an alert event. The account, the time and the URL are added when the event is serialised. */
export type AlertFacts = Omit<AlertMatched, 'account' | 'at' | 'url'>

/** An account event as stored. The functions that store it write both `type` and `facts`, so they always match. */
type StoredAccountEvent =
  | { readonly type: 'balance.low'; readonly facts: Pick<LowBalance, 'thresholdCredits' | 'balanceCredits'> }
  | { readonly type: 'alert.matched'; readonly facts: AlertFacts }

/** Account event, with the endpoints that were subscribed to it when it occurred. */
export type AccountEventRow = {
  readonly eventId: string
  readonly account: string
  readonly event: StoredAccountEvent
  readonly endpoints: number[]
  readonly at: Date
}

/** Stores an account event for the endpoints that are subscribed to it now. Stores nothing if there are none. */
export async function insertAccountEvent(tx: Transaction, accountId: number, { type, facts }: StoredAccountEvent): Promise<void> {
  await tx.query('SELECT add_account_event($1, $2, $3)', [accountId, type, JSON.stringify(facts)])
}

/**
 * Deletes and returns the oldest events. Waits for locked rows instead of skipping them, so that concurrent callers take later events and each account's events
 * stay in order.
 */
async function takeEvents(tx: Transaction, max: number): Promise<AccountEventRow[]> {
  const { rows } = await tx.query<AccountEventRow>(
    `WITH taken AS (DELETE FROM account_event WHERE id IN (SELECT id FROM account_event ORDER BY id LIMIT $1 FOR UPDATE) RETURNING *)
     SELECT t.event_id AS "eventId", a.public_id AS account, jsonb_build_object('type', t.type, 'facts', t.data) AS event, t.endpoints, t.at FROM taken t JOIN account a ON a.id = t.account_id ORDER BY t.id`,
    [max],
  )
  return rows
}

/** Turns the oldest events, at most `max`, into deliveries in one transaction. Returns the number of events taken. */
export async function forwardEvents(db: Database, now: DatabaseTime, max: number, write: (row: AccountEventRow) => WrittenData): Promise<number> {
  return inTransaction(db, async (tx) => {
    const taken = await takeEvents(tx, max)
    if (taken.length === 0) return 0
    const events = taken.map((row) => ({ id: row.eventId, type: row.event.type, createdAt: row.at, ...write(row) }))
    const pairs = taken.flatMap(({ eventId: id, event: { type }, endpoints }) => endpoints.map((endpoint) => ({ id, type, endpoint })))
    await deliver(tx, now, events, accountEventSql, [column(pairs, 'id'), column(pairs, 'type'), column(pairs, 'endpoint')])
    return taken.length
  })
}
