import type { Database } from '#server/db/prisma.ts'
import type { DeliveryRow } from './deliveries.store.ts'

/** `dead`: failed for good. `retrying`: failed, but will be retried. `held`: waiting for an endpoint whose account lacks credits. */
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

/** Builds the query for endpoints that may have deliveries of a kind. Without an account, it finds each by one index lookup (loose index scan). */
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

export type FailingRow = {
  endpoint: string
  account: string
  url: string
  state: 'active' | 'paused' | 'held' | 'disabled'
  failing_since: Date | null
  oldest_id: string
  oldest_at: Date
  count: number
}

export type FailureBounds = { readonly rows: number; readonly candidates: number; readonly counted: number }

/** Returns endpoints with deliveries of a kind after a cursor position, oldest delivery first. Delivery counts stop at a bound. */
export async function readFailing(pool: Database, filter: FailureFilter, after: string | null, max: FailureBounds): Promise<FailingRow[]> {
  const { rows } = await pool.query<FailingRow>(
    `SELECT p.endpoint, a.public_id AS account, p.url, p.state, p.failing_since, p.oldest_id, p.oldest_at, n.count FROM (
       SELECT e.id, e.account_id, e.public_id AS endpoint, e.url, e.state, e.failing_since, o.id AS oldest_id, o.created_at AS oldest_at ${oldestSql(filter)}
         AND ($4::bigint IS NULL OR o.id > $4) ORDER BY o.id LIMIT $5) p
     JOIN account a ON a.id = p.account_id
     CROSS JOIN LATERAL (SELECT count(*)::int FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = p.id AND ${conditions[filter.kind]}
       AND ($2::text IS NULL OR $2 = (SELECT v.type FROM webhook_event v WHERE v.id = d.event_id)) LIMIT $6) q) n
     ORDER BY p.oldest_id`,
    [filter.account, filter.type, max.candidates, after, max.rows, max.counted],
  )
  return rows
}

/** Counts endpoints with deliveries of a kind, and returns the creation time of the oldest of these deliveries. */
export async function countFailing(pool: Database, kind: FailureKind, maxCandidates: number): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await pool.query<{ count: number; oldest: Date | null }>(
    `SELECT count(*)::int AS count, min(o.created_at) AS oldest ${oldestSql({ kind, account: null, type: null })}`,
    [null, null, maxCandidates],
  )
  return rows[0] ?? { count: 0, oldest: null }
}

/** Returns an endpoint's deliveries after a cursor position, oldest first. */
export async function readOldest(pool: Database, endpointId: string, filter: Omit<FailureFilter, 'account'>, after: string | null, max: number) {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT d.id, d.public_id, d.event_id, v.type, d.is_test, d.is_free, d.state, d.attempts, d.due_at, d.created_at, d.delivered_at, d.charged_at, d.is_owed, d.last_status
     FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
     WHERE d.endpoint_id = $1 AND ${conditions[filter.kind]} AND ($2::text IS NULL OR v.type = $2) AND ($3::bigint IS NULL OR d.id > $3) ORDER BY d.id LIMIT $4`,
    [endpointId, filter.type, after, max],
  )
  return rows
}
