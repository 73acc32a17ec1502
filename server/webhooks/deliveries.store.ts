import type { DeliveryState } from '#server/api/contract/webhooks.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'

export type DeliveryRow = {
  id: string
  public_id: string
  event_id: string
  type: string
  is_test: boolean
  is_free: boolean
  state: DeliveryState
  attempts: number
  due_at: Date
  created_at: Date
  delivered_at: Date | null
  charged_at: Date | null
  is_owed: boolean
  last_status: number | null
}

const columns = `d.id, d.public_id, d.event_id, v.type, d.is_test, d.is_free, d.state, d.attempts, d.due_at, d.created_at, d.delivered_at, d.charged_at, d.is_owed, d.last_status`

export type DeliveryFilter = { readonly state: DeliveryState | null; readonly type: string | null }

/** Returns an endpoint's deliveries before a cursor position, newest first. */
export async function readDeliveries(pool: Database, endpointId: string, filter: DeliveryFilter, before: string | null, max: number): Promise<DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
     WHERE d.endpoint_id = $1 AND ($2::text IS NULL OR d.state::text = $2) AND ($3::text IS NULL OR v.type = $3) AND ($4::bigint IS NULL OR d.id < $4)
     ORDER BY d.id DESC LIMIT $5`,
    [endpointId, filter.state, filter.type, before, max],
  )
  return rows
}

export type OneDeliveryRow = DeliveryRow & { endpoint: string; url: string; data: string; event_at: Date }

export async function readDelivery(pool: Database, accountId: number, id: string): Promise<OneDeliveryRow | undefined> {
  const { rows } = await pool.query<OneDeliveryRow>(
    `SELECT ${columns}, e.public_id AS endpoint, e.url, v.created_at AS event_at, CASE WHEN a.plan = 'enterprise' THEN v.data_with_logos ELSE v.data END AS data
     FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id JOIN webhook_endpoint e ON e.id = d.endpoint_id JOIN account a ON a.id = d.account_id
     WHERE d.account_id = $1 AND d.public_id = $2 AND e.state <> 'deleted'`,
    [accountId, id],
  )
  return rows[0]
}

export type AttemptRow = {
  round: number
  attempt: number
  at: Date
  outcome: 'delivered' | 'failed'
  status: number | null
  fault: string | null
  total_ms: number
  first_byte_ms: number | null
  headers: Record<string, string> | null
  body: string | null
}

/** Returns a delivery's attempts, newest first. */
export async function readAttempts(pool: Database, deliveryId: string, max: number): Promise<AttemptRow[]> {
  const { rows } = await pool.query<AttemptRow>(
    `SELECT round, attempt, at, outcome, status, fault, total_ms, first_byte_ms, headers, body FROM webhook_attempt
     WHERE delivery_id = $1 ORDER BY round DESC, attempt DESC LIMIT $2`,
    [deliveryId, max],
  )
  return rows
}

/** Selects what to redeliver: one delivery, a time range, or everything that failed. */
export type Again =
  | { readonly kind: 'one'; readonly id: string }
  | {
      readonly kind: 'range'
      readonly from: Date
      readonly to: Date
      /** Cursor position to continue after; null to start from the beginning. */
      readonly after: string | null
    }
  | { readonly kind: 'failed' }

function toCondition(again: Again): { sql: string; values: unknown[] } {
  if (again.kind === 'one') return { sql: "d.public_id = $5 AND d.state <> 'waiting'", values: [again.id] }
  if (again.kind === 'failed') return { sql: "d.state = 'dead'", values: [] }
  const span = "NOT d.is_test AND d.state IN ('dead', 'delivered') AND d.created_at >= $5 AND d.created_at < $6 AND ($7::bigint IS NULL OR d.id > $7)"
  return { sql: span, values: [again.from, again.to, again.after] }
}

export type AgainLimits = { readonly atOnce: number; readonly anHour: number }

export type SentAgain = {
  count: number
  /** Cursor position of the last delivery. */
  last: string | null
  /** True if more deliveries match. */
  more: boolean
  /** Redeliveries made earlier in the hour that started at `since`. */
  used: number
  since: Date
}

/** Puts deliveries back in the queue for a new round of attempts, oldest first, within the limits per call and per hour. The endpoint must be locked. */
export async function sendAgain(client: Transaction, endpointId: string, again: Again, now: Date, { atOnce, anHour }: AgainLimits): Promise<SentAgain> {
  const { sql, values } = toCondition(again)
  const { rows } = await client.query<SentAgain>(
    `WITH e AS (
       SELECT CASE WHEN again_from > $2::timestamptz - interval '1 hour' THEN again_count ELSE 0 END AS used,
         CASE WHEN again_from > $2::timestamptz - interval '1 hour' THEN again_from ELSE $2::timestamptz END AS since
       FROM webhook_endpoint WHERE id = $1
     ), l AS (
       SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = $1 AND ${sql} ORDER BY d.id LIMIT (SELECT greatest(0, least($3, $4 - used)) FROM e)
       FOR NO KEY UPDATE
     ), queued AS (
       UPDATE webhook_delivery w SET state = 'waiting', round = w.round + 1, attempts = 0, due_at = $2 FROM l WHERE w.id = l.id
     ), counted AS (
       UPDATE webhook_endpoint w SET again_from = e.since, again_count = e.used + (SELECT count(*) FROM l) FROM e WHERE w.id = $1
     )
     SELECT (SELECT count(*)::int FROM l) AS count, (SELECT max(id) FROM l) AS last, used, since,
       EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND ${sql} AND d.id > coalesce((SELECT max(id) FROM l), 0)) AS more
     FROM e`,
    [endpointId, now, atOnce, anHour, ...values],
  )
  return rows[0] ?? { count: 0, last: null, more: false, used: 0, since: now }
}

export type HourRow = { hour: Date; attempts: number; delivered: number; median_ms: number | null; p95_ms: number | null }

/** Returns hourly attempt statistics since a time, with the receivers' time to first byte. Hours without attempts are left out. */
export async function readHours(pool: Database, endpointId: string, from: Date): Promise<HourRow[]> {
  const { rows } = await pool.query<HourRow>(
    `SELECT date_trunc('hour', t.at, 'UTC') AS hour, count(*)::int AS attempts, count(*) FILTER (WHERE t.outcome = 'delivered')::int AS delivered,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.first_byte_ms))::int AS median_ms,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY t.first_byte_ms))::int AS p95_ms
     FROM webhook_attempt t WHERE t.endpoint_id = $1 AND t.at >= $2 GROUP BY 1 ORDER BY 1`,
    [endpointId, from],
  )
  return rows
}

/**
 * Cancels deliveries waiting for deleted endpoints, at most `max`. Returns the number cancelled. Skips rows that are being updated; the next run cancels them.
 */
export async function cancelDeleted(pool: Database, now: Date, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE webhook_delivery w SET state = 'cancelled', settled_at = $1
     FROM (SELECT d.id FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id AND d.state = 'waiting' WHERE e.state = 'deleted'
       LIMIT $2 FOR NO KEY UPDATE OF d SKIP LOCKED) l WHERE w.id = l.id`,
    [now, max],
  )
  return rowCount ?? 0
}

/** Deletes deliveries that were settled before a time, at most `max`, except waiting and unpaid ones. Returns the number deleted. */
export async function forgetDeliveries(pool: Database, before: Date, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE settled_at < $1 AND state <> 'waiting' AND NOT is_owed
       ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, max],
  )
  return rowCount ?? 0
}

/** Deletes events created before a time that have no deliveries left, at most `max`. */
export async function forgetEvents(pool: Database, before: Date, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM webhook_event v WHERE v.id IN (
       SELECT q.id FROM webhook_event q WHERE q.created_at < $1 AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = q.id) LIMIT $2
         FOR UPDATE SKIP LOCKED)
       AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`,
    [before, max],
  )
  return rowCount ?? 0
}
