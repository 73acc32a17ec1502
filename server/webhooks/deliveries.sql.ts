/**
 * Reports on deliveries and enforces their retention. Prisma has no percentiles, no lateral joins for the oldest delivery of each endpoint, and no `SKIP
 * LOCKED` for deleting in batches while workers send.
 */
import type { Mode } from '#server/api/contract/endpoint.ts'
import type { DeliveryState } from '#server/api/contract/webhooks.ts'
import type { Database, Db } from '#server/db/prisma.ts'

/** Deletes the attempts of all but the newest rounds of deliveries. Keeps the first successful attempt of each, as evidence of the charge. */
export async function forgetRounds(tx: Db, endpointId: number, deliveryIds: readonly bigint[], keptRounds: number): Promise<void> {
  await tx.query(
    `DELETE FROM webhook_attempt t USING webhook_delivery d
     WHERE d.endpoint_id = $1 AND d.id = ANY ($2::bigint[]) AND t.delivery_id = d.id AND t.round <= d.round - $3
       AND (t.outcome <> 'delivered' OR EXISTS (SELECT FROM webhook_attempt e
         WHERE e.delivery_id = t.delivery_id AND e.outcome = 'delivered' AND (e.round, e.attempt) < (t.round, t.attempt)))`,
    [endpointId, deliveryIds, keptRounds],
  )
}

/** Deliveries of an account's endpoints of one mode. Undefined and null match any. `webhook` is the public id of an endpoint. */
export type NewestFilter = {
  readonly accountId: number
  readonly mode: Mode | null
  readonly webhook?: string | null | undefined
  readonly state?: DeliveryState | null | undefined
  readonly type?: string | null | undefined
}

/** Position in the list of newest deliveries: that of a delivery or, if it has been deleted, the time of its creation. */
export type NewestPosition = { readonly id: bigint | null; readonly createdAt: Date | null }

/** Maximum number of deliveries to scan per page when filtering, shared between the endpoints. Dead and waiting deliveries have separate indexes. */
const maxSearched = 20_000

const indexed: Readonly<Partial<Record<DeliveryState, string>>> = { dead: " AND d.state = 'dead'", waiting: " AND d.state = 'waiting'" }

/** A matching delivery or, if `isMatch` is false, the position at which the scan stopped early. */
type NewestRow = { readonly id: string; readonly isMatch: boolean }

/** Returns the ids of the newest deliveries after a position, at most `max`, and the end of the search if older deliveries were not searched. */
export async function findNewest(db: Db, filter: NewestFilter, after: NewestPosition, max: number): Promise<{ ids: bigint[]; end: bigint | null }> {
  const { accountId, mode, webhook = null, state = null, type = null } = filter
  const inIndex = state === null ? '' : (indexed[state] ?? '')
  const isFiltered = type !== null || (state !== null && inIndex === '')
  const { rows } = await db.query<NewestRow>(
    `WITH e AS MATERIALIZED (SELECT id FROM webhook_endpoint
       WHERE account_id = $1 AND ($2::key_mode IS NULL OR mode = $2) AND state <> 'deleted' AND ($8::text IS NULL OR public_id = $8)
     ), c AS MATERIALIZED (SELECT greatest($7::bigint, ${isFiltered ? maxSearched : 0} / greatest(1, count(*))) AS searched FROM e
     ), s AS MATERIALIZED (
       SELECT d.* FROM e CROSS JOIN LATERAL (
         SELECT d.id, d.endpoint_id, d.state, d.event_id FROM webhook_delivery d
         WHERE d.endpoint_id = e.id AND ($3::bigint IS NULL OR d.id < $3) AND ($4::timestamptz IS NULL OR d.created_at <= $4)${inIndex}
         ORDER BY d.id DESC LIMIT (SELECT searched FROM c)) d
     ), o AS MATERIALIZED (
       SELECT max(l.id) AS id FROM (SELECT min(s.id) AS id, count(*) AS found FROM s GROUP BY s.endpoint_id) l, c WHERE l.found >= c.searched)
     (SELECT s.id, true AS "isMatch" FROM s
       WHERE s.id >= coalesce((SELECT o.id FROM o), 0) AND ($5::text IS NULL OR s.state = $5::webhook_delivery_state)
         AND ($6::text IS NULL OR $6 = (SELECT v.type FROM webhook_event v WHERE v.id = s.event_id))
       ORDER BY s.id DESC LIMIT $7)
     UNION ALL SELECT o.id, false FROM o WHERE o.id IS NOT NULL`,
    [accountId, mode, after.id, after.createdAt, state, type, max, webhook],
  )
  const ids = rows.filter(({ isMatch }) => isMatch).map(({ id }) => BigInt(id))
  const end = rows.find(({ isMatch }) => !isMatch)
  return { ids, end: end && ids.length < max ? BigInt(end.id) : null }
}

/** Position in the list of readable deliveries. `id` is null if that delivery has been deleted. */
export type ReadablePosition = { readonly at: Date; readonly id: bigint | null }

/** Matches deliveries whose data may be read, because they were charged, are owed or are free. Must match the index webhook_delivery_readable. */
const isReadable = '(d.is_test OR d.is_free OR d.charged_at IS NOT NULL OR d.is_owed)'
/** Time since which a delivery has been readable, which never changes. Must match the index. */
const readableAt = '(CASE WHEN d.is_test OR d.is_free THEN d.created_at ELSE coalesce(d.delivered_at, d.created_at) END)'

/** Maximum number of readable deliveries that are searched for an event type, divided between the endpoints. */
const maxReadableSearched = 5_000
const maxId = 2n ** 63n - 1n

/** A matching delivery or, if `isMatch` is false, the position at which the scan stopped early. */
export type ReadableRow = { readonly id: string; readonly publicId: string; readonly at: Date; readonly isMatch: boolean }

/** Returns the latest readable deliveries after a position, at most `max`, and the end of the search if older ones were not searched. */
export async function findReadable(db: Db, filter: Omit<NewestFilter, 'state'>, after: ReadablePosition | null, max: number): Promise<ReadableRow[]> {
  const { accountId, mode, webhook = null, type = null } = filter
  const { rows } = await db.query<ReadableRow>(
    `WITH e AS MATERIALIZED (SELECT id FROM webhook_endpoint
       WHERE account_id = $1 AND ($2::key_mode IS NULL OR mode = $2) AND state <> 'deleted' AND ($3::text IS NULL OR public_id = $3)
     ), c AS MATERIALIZED (SELECT CASE WHEN $4::text IS NULL THEN $5::bigint ELSE greatest($5, ${maxReadableSearched} / greatest(1, count(*))) END AS searched FROM e
     ), s AS MATERIALIZED (
       SELECT e.id AS endpoint_id, d.* FROM e CROSS JOIN LATERAL (
         SELECT d.id, d.public_id, d.event_id, ${readableAt} AS at FROM webhook_delivery d
         WHERE d.endpoint_id = e.id AND ${isReadable} AND (${readableAt}, d.id) < ($6::timestamptz, $7::bigint)
         ORDER BY ${readableAt} DESC, d.id DESC LIMIT (SELECT searched FROM c)) d
     ), o AS MATERIALIZED (
       SELECT l.id, l.public_id, l.at FROM (
         SELECT DISTINCT ON (s.endpoint_id) s.*, count(*) OVER (PARTITION BY s.endpoint_id) AS found FROM s ORDER BY s.endpoint_id, s.at, s.id) l, c
       WHERE l.found >= c.searched ORDER BY l.at DESC, l.id DESC LIMIT 1)
     (SELECT s.id, s.public_id AS "publicId", s.at, true AS "isMatch" FROM s
       WHERE NOT EXISTS (SELECT FROM o WHERE (s.at, s.id) < (o.at, o.id)) AND ($4::text IS NULL OR $4 = (SELECT v.type FROM webhook_event v WHERE v.id = s.event_id))
       ORDER BY s.at DESC, s.id DESC LIMIT $5)
     UNION ALL SELECT id, public_id, at, false FROM o`,
    [accountId, mode, webhook, type, max, after?.at ?? 'infinity', after?.id ?? maxId],
  )
  return rows
}

/** `dead`: failed for good. `retrying`: failed, but will be retried. `held`: waiting until the endpoint's account has enough credits. */
export type FailureKind = 'dead' | 'retrying' | 'held'

export type FailureFilter = {
  readonly kind: FailureKind
  /** Public id of an account, and an event type; null matches any. */
  readonly account: string | null
  readonly type: string | null
}

const conditions: Readonly<Record<FailureKind, string>> = {
  dead: "d.state = 'dead'",
  retrying: "d.state = 'waiting' AND d.attempts > 0",
  held: "d.state = 'waiting'",
}

/** Sort order that matches the index for each kind: the waiting deliveries of an endpoint are indexed by due time. */
const orders: Readonly<Record<FailureKind, string>> = { dead: 'd.id', retrying: 'd.id', held: 'd.due_at, d.id' }

/**
 * Builds the query for endpoints that may have deliveries of the given kind. Without an account, it finds each endpoint with one index lookup (loose index
 * scan).
 */
function candidatesSql({ kind, account }: FailureFilter): string {
  const held = kind === 'held' ? " AND e.state = 'held'" : ''
  if (account !== null) return `SELECT e.id AS endpoint_id FROM webhook_endpoint e WHERE e.account_id = (SELECT id FROM account WHERE public_id = $1)${held}`
  if (kind === 'held') return "SELECT e.id AS endpoint_id FROM webhook_endpoint e WHERE e.state = 'held'"
  const next = (than: string) =>
    `(SELECT d.endpoint_id FROM webhook_delivery d WHERE ${conditions[kind]} AND d.endpoint_id > ${than} ORDER BY d.endpoint_id, d.id LIMIT 1)`
  return `WITH RECURSIVE found AS (SELECT ${next('0')} AS endpoint_id UNION ALL SELECT ${next('f.endpoint_id')} FROM found f WHERE f.endpoint_id IS NOT NULL)
    SELECT endpoint_id FROM found WHERE endpoint_id IS NOT NULL`
}

/** SQL that selects the oldest delivery of each endpoint. Parameters: account (`$1`), event type (`$2`) and maximum number of endpoints to search (`$3`). */
const oldestSql = (filter: FailureFilter) =>
  `FROM (${candidatesSql(filter)} LIMIT $3) c JOIN webhook_endpoint e ON e.id = c.endpoint_id AND e.state <> 'deleted'
   CROSS JOIN LATERAL (SELECT d.id, d.created_at FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
     WHERE d.endpoint_id = e.id AND ${conditions[filter.kind]} AND ($2::text IS NULL OR v.type = $2) ORDER BY ${orders[filter.kind]} LIMIT 1) o
   WHERE ($1::text IS NULL OR e.account_id = (SELECT id FROM account WHERE public_id = $1))`

/** Endpoint with failed or held deliveries. `count` is capped; `oldestAt` is the creation time of the oldest of these deliveries. */
export type FailingRow = {
  endpoint: string
  account: string
  url: string
  state: 'active' | 'paused' | 'held' | 'disabled'
  failingSince: Date | null
  oldestId: string
  oldestAt: Date
  count: number
  /** Response and error of the newest failed attempt among the endpoint's newest 1,000, of any delivery. */
  lastStatus: number | null
  lastFault: string | null
}

export type FailureBounds = { readonly rows: number; readonly candidates: number; readonly counted: number }

/** Returns endpoints with deliveries of the given kind after a cursor position, oldest delivery first. Delivery counts are capped. */
export async function readFailing(db: Database, filter: FailureFilter, after: string | null, max: FailureBounds): Promise<FailingRow[]> {
  const { rows } = await db.query<FailingRow>(
    `SELECT p.endpoint, a.public_id AS account, p.url, p.state, p.failing_since AS "failingSince", p.oldest_id AS "oldestId", p.oldest_at AS "oldestAt", n.count,
       f.status AS "lastStatus", f.fault AS "lastFault" FROM (
       SELECT e.id, e.account_id, e.public_id AS endpoint, e.url, e.state, e.failing_since, o.id AS oldest_id, o.created_at AS oldest_at ${oldestSql(filter)}
         AND ($4::bigint IS NULL OR o.id > $4) ORDER BY o.id LIMIT $5) p
     JOIN account a ON a.id = p.account_id
     CROSS JOIN LATERAL (SELECT count(*)::int FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = p.id AND ${conditions[filter.kind]}
       AND ($2::text IS NULL OR $2 = (SELECT v.type FROM webhook_event v WHERE v.id = d.event_id)) LIMIT $6) q) n
     LEFT JOIN LATERAL (SELECT t.status, t.fault FROM (
       SELECT a.status, a.fault, a.outcome, a.at FROM webhook_attempt a WHERE a.endpoint_id = p.id ORDER BY a.at DESC LIMIT 1000) t
       WHERE t.outcome = 'failed' ORDER BY t.at DESC LIMIT 1) f ON true
     ORDER BY p.oldest_id`,
    [filter.account, filter.type, max.candidates, after, max.rows, max.counted],
  )
  return rows
}

/** Counts endpoints with deliveries of the given kind, and returns the creation time of the oldest of these deliveries. */
export async function countFailing(db: Database, kind: FailureKind, maxCandidates: number): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await db.query<{ count: number; oldest: Date | null }>(
    `SELECT count(*)::int AS count, min(o.created_at) AS oldest ${oldestSql({ kind, account: null, type: null })}`,
    [null, null, maxCandidates],
  )
  return rows[0] ?? { count: 0, oldest: null }
}

export type HourRow = { hour: Date; attempts: number; delivered: number; medianMs: number | null; p95Ms: number | null }

/** Returns hourly attempt statistics since a given time, with the receivers' time to first byte. Hours without attempts are left out. */
export async function readHours(db: Database, endpointId: number, from: Date): Promise<HourRow[]> {
  const { rows } = await db.query<HourRow>(
    `SELECT date_trunc('hour', t.at, 'UTC') AS hour, count(*)::int AS attempts, count(*) FILTER (WHERE t.outcome = 'delivered')::int AS delivered,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.first_byte_ms))::int AS "medianMs",
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY t.first_byte_ms))::int AS "p95Ms"
     FROM webhook_attempt t WHERE t.endpoint_id = $1 AND t.at >= $2 GROUP BY 1 ORDER BY 1`,
    [endpointId, from],
  )
  return rows
}

/** Cancels up to `max` waiting deliveries to deleted endpoints. Returns the number cancelled. Skips rows that are being updated; the next run cancels them. */
export async function cancelDeleted(db: Database, now: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE webhook_delivery w SET state = 'cancelled', settled_at = $1
     FROM (SELECT d.id FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id AND d.state = 'waiting' WHERE e.state = 'deleted'
       LIMIT $2 FOR NO KEY UPDATE OF d SKIP LOCKED) l WHERE w.id = l.id`,
    [now, max],
  )
  return rowCount ?? 0
}

/**
 * Deletes up to `max` deliveries that reached a final state before a given time. Waiting and unpaid deliveries are never deleted. Returns the number deleted.
 */
export async function forgetDeliveries(db: Database, before: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE settled_at < $1 AND state <> 'waiting' AND NOT is_owed
       ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, max],
  )
  return rowCount ?? 0
}

/** Deletes up to `max` deleted endpoints that have no deliveries left. Returns the number deleted. */
export async function forgetEndpoints(db: Database, max: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM webhook_endpoint WHERE id IN (SELECT e.id FROM webhook_endpoint e
       WHERE e.state = 'deleted' AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id) LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [max],
  )
  return rowCount ?? 0
}

/** Deletes up to `max` events that were created before a given time and have no deliveries left. */
export async function forgetEvents(db: Database, before: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM webhook_event v WHERE v.id IN (
       SELECT q.id FROM webhook_event q WHERE q.created_at < $1 AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = q.id) LIMIT $2
         FOR UPDATE SKIP LOCKED)
       AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`,
    [before, max],
  )
  return rowCount ?? 0
}
