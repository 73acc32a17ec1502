/** Queue of webhook deliveries. Prisma has no `SKIP LOCKED`, and a claim or an outcome must check credits, charge and update in one statement. */
import type { WebhookDelivery, WebhookEndpoint, WebhookEvent } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'

export type ClaimedRow = Pick<WebhookEndpoint, 'url' | 'oldSecretEndsAt'> &
  Pick<WebhookDelivery, 'round' | 'attempts'> &
  Pick<WebhookEvent, 'type' | 'createdAt' | 'data'> & {
    readonly endpoint: number
    readonly endpointPublicId: string
    readonly secret: Buffer
    readonly oldSecret: Buffer | null
    /** PostgreSQL returns bigint columns as text. */
    readonly delivery: string
    readonly deliveryPublicId: string
    readonly eventId: string
  }

export type ClaimLimits = { readonly endpoints: number; readonly deliveries: number; readonly leaseSeconds: number; readonly price: number }

const claimedSql = `SELECT c.endpoint, c.delivery, d.public_id AS "deliveryPublicId", e.url, e.public_id AS "endpointPublicId", e.secret,
    e.old_secret AS "oldSecret", e.old_secret_ends_at AS "oldSecretEndsAt", d.round, d.attempts, v.id AS "eventId", v.type, v.created_at AS "createdAt",
    CASE WHEN a.plan = 'enterprise' THEN v.data_with_logos ELSE v.data END AS data
  FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS c(endpoint, delivery, n) JOIN webhook_endpoint e ON e.id = c.endpoint
    JOIN webhook_delivery d ON d.id = c.delivery JOIN webhook_event v ON v.id = d.event_id JOIN account a ON a.id = e.account_id
  ORDER BY c.n`

/** Fixed time in tests; null uses the database clock, which all processes share. */
export type DatabaseTime = Date | null

/**
 * Makes queues due immediately, or when their endpoint's back-off ends. Includes held endpoints, because a concurrent resume may not have seen the new
 * deliveries.
 */
export async function wakeQueues(tx: Transaction, now: DatabaseTime, endpoints: readonly number[]): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoint w SET next_at = greatest(least(w.next_at, coalesce($1::timestamptz, statement_timestamp())), w.rests_until)
     FROM (SELECT id FROM webhook_endpoint WHERE id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`,
    [now, endpoints],
  )
}

/** Claims endpoints with their due deliveries, in order per endpoint. The lease starts when the first statement runs. */
export async function claimDeliveries(db: Database, now: DatabaseTime, lease: string, limits: ClaimLimits): Promise<ClaimedRow[]> {
  const claimed = await db.query<Pick<ClaimedRow, 'endpoint' | 'delivery'>>({
    name: 'webhooks-claim',
    text: 'SELECT endpoint, delivery FROM claim_webhooks($1, $2, $3, $4, $5, $6)',
    values: [now, lease, limits.endpoints, limits.deliveries, limits.leaseSeconds, limits.price],
  })
  if (claimed.rows.length === 0) return []
  const values = [claimed.rows.map(({ endpoint }) => endpoint), claimed.rows.map(({ delivery }) => delivery)]
  return (await db.query<ClaimedRow>({ name: 'webhooks-claimed', text: claimedSql, values })).rows
}

/** Outcome of an attempt, as recorded. */
export type OutcomeRow = {
  readonly endpoint: number
  readonly lease: string
  readonly delivery: string
  readonly round: number
  readonly attempt: number
  readonly isDelivered: boolean
  readonly isGone: boolean
  /** Milliseconds until the next attempt; null if there is none. */
  readonly waitMs: number | null
  /** True if the attempt failed slowly, in which case the endpoint backs off. */
  readonly isSlow: boolean
  /** True for the last delivery that the sender claimed for this endpoint. */
  readonly isLast: boolean
  readonly at: Date
  readonly status: number | null
  readonly fault: string | null
  readonly totalMs: number
  readonly firstByteMs: number | null
  readonly address: string | null
  readonly headers: string | null
  readonly body: string | null
  /** True if the receiver may have received the event, even if it returned an error. */
  readonly isSent: boolean
}

/** Thresholds for warning about a failing endpoint and for disabling it. */
export const healthRules = { warnAfterHours: 24, warnFailures: 5, disableAfterHours: 5 * 24, disableFailures: 15 }

const outcomeTypes = [
  ['endpoint', 'int'],
  ['lease', 'uuid'],
  ['delivery', 'bigint'],
  ['round', 'int'],
  ['attempt', 'int'],
  ['isDelivered', 'boolean'],
  ['isGone', 'boolean'],
  ['waitMs', 'int'],
  ['isSlow', 'boolean'],
  ['isLast', 'boolean'],
  ['at', 'timestamptz'],
  ['status', 'int'],
  ['fault', 'text'],
  ['totalMs', 'int'],
  ['firstByteMs', 'int'],
  ['address', 'text'],
  ['headers', 'text'],
  ['body', 'text'],
  ['isSent', 'boolean'],
] as const satisfies readonly (readonly [keyof OutcomeRow, string])[]

const recordSql = `SELECT record_webhooks($1, $2, make_interval(hours => $3), $4, make_interval(hours => $5), $6, ${outcomeTypes
  .map(([, type], at) => `$${at + 7}::${type}[]`)
  .join(', ')}) AS go_on`

/** Records outcomes in one statement. Returns, for each outcome, whether its sender may continue with the endpoint. */
export async function recordOutcomes(
  db: Database,
  now: DatabaseTime,
  price: number,
  rules: typeof healthRules,
  outcomes: readonly OutcomeRow[],
): Promise<boolean[]> {
  const { warnAfterHours, warnFailures, disableAfterHours, disableFailures } = rules
  const columns = outcomeTypes.map(([name]) => outcomes.map((outcome) => outcome[name]))
  const values = [now, price, warnAfterHours, warnFailures, disableAfterHours, disableFailures, ...columns]
  const { rows } = await db.query<{ go_on: boolean[] }>({ name: 'webhooks-record', text: recordSql, values })
  return rows[0]?.go_on ?? []
}

/** Releases an endpoint before all of its claimed deliveries have been sent, so that it can be claimed again immediately. */
export async function releaseEndpoint(db: Database, lease: string, endpoint: number, now: DatabaseTime): Promise<void> {
  await db.query(
    'UPDATE webhook_endpoint SET lease = NULL, leased_until = NULL, next_at = coalesce($3::timestamptz, clock_timestamp()) WHERE id = $1 AND lease = $2',
    [endpoint, lease, now],
  )
}

/** Activates held endpoints so that their due free deliveries are sent. The next claim then holds the endpoints again. */
export async function wakeFree(db: Database, now: DatabaseTime, max: number): Promise<void> {
  await db.query(
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now), l AS (
       SELECT e.id FROM webhook_endpoint e, t WHERE e.state = 'held' AND (e.rests_until IS NULL OR e.rests_until <= t.now)
         AND e.id IN (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.is_free AND d.state = 'waiting' AND d.due_at <= t.now)
       ORDER BY e.id LIMIT $2 FOR NO KEY UPDATE OF e SKIP LOCKED)
     UPDATE webhook_endpoint w SET state = 'active', next_at = t.now FROM l, t WHERE w.id = l.id`,
    [now, max],
  )
}

/** Number of market events that receivers got in the last seven days but did not acknowledge, and the number at which sending new ones pauses. */
export type Unacknowledged = { readonly events: number; readonly allowed: number }

export async function readUnacknowledged(db: Database, accountId: number, now: Date): Promise<Unacknowledged> {
  const { rows } = await db.query<Unacknowledged>('SELECT events::int, allowed::int FROM webhook_unacknowledged($1, $2)', [accountId, now])
  return rows[0] ?? { events: 0, allowed: 0 }
}

/** Returns accounts that have unpaid events or held endpoints, and enough credits to pay for an event. */
export async function readPayers(db: Database, now: DatabaseTime, price: number, max: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT account_id AS id FROM (
       SELECT account_id FROM webhook_endpoint WHERE state = 'held' UNION SELECT account_id FROM webhook_delivery WHERE is_owed) w
     WHERE webhook_credits(account_id, coalesce($3::timestamptz, clock_timestamp())) >= $1 ORDER BY account_id LIMIT $2`,
    [price, max, now],
  )
  return rows.map(({ id }) => id)
}

export async function resumeAccount(db: Database, accountId: number, now: DatabaseTime, price: number): Promise<number> {
  const { rows } = await db.query<{ went: number }>('SELECT resume_webhooks($1, $2, $3) AS went', [accountId, now, price])
  return rows[0]?.went ?? 0
}

/** Counts the waiting deliveries of endpoints, each up to `max`. Endpoints without any are left out. */
export async function countWaiting(db: Db, endpointIds: readonly number[], max: number): Promise<Map<number, number>> {
  const { rows } = await db.query<{ id: number; waiting: number }>(
    `SELECT e.id, q.waiting FROM unnest($1::int[]) e(id)
       CROSS JOIN LATERAL (SELECT count(*)::int AS waiting FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'waiting' LIMIT $2) w) q`,
    [endpointIds, max],
  )
  return new Map(rows.map(({ id, waiting }) => [id, waiting]))
}

export type AttemptCounts = { readonly attempts: number; readonly delivered: number }

/** Counts the attempts of each endpoint since a given time, at most the newest `max`, and those of them that succeeded. */
export async function countAttempts(db: Db, endpointIds: readonly number[], from: Date, max: number): Promise<Map<number, AttemptCounts>> {
  const { rows } = await db.query<AttemptCounts & { id: number }>(
    `SELECT e.id, q.attempts, q.delivered FROM unnest($1::int[]) e(id)
       CROSS JOIN LATERAL (SELECT count(*)::int AS attempts, count(*) FILTER (WHERE t.outcome = 'delivered')::int AS delivered FROM (
         SELECT t.outcome FROM webhook_attempt t WHERE t.endpoint_id = e.id AND t.at >= $2 ORDER BY t.at DESC LIMIT $3) t) q`,
    [endpointIds, from, max],
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Limit at which counting stops, because larger numbers needn't be exact. */
const maxCounted = 100_000

export type QueueDepth = { readonly waiting: number; readonly oldest: Date | null; readonly untold: number }

/** Counts waiting deliveries and market events without deliveries. `oldest` is the time at which the oldest due queue became due; null if none is due. */
export async function queueDepth(db: Database): Promise<QueueDepth> {
  const { rows } = await db.query<QueueDepth>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM webhook_delivery WHERE state = 'waiting' LIMIT ${maxCounted}) d) AS waiting,
       (SELECT min(next_at) FROM webhook_endpoint WHERE state = 'active' AND next_at <= now()) AS oldest,
       (SELECT count(*)::int FROM (SELECT FROM market_event e, webhook_progress p WHERE e.seq > p.after_seq LIMIT ${maxCounted}) e) AS untold`,
  )
  return rows[0] ?? { waiting: 0, oldest: null, untold: 0 }
}

/** Returns when the next active endpoint is due, and whether any endpoint is held. */
export async function readNext(db: Database): Promise<{ dueAt: Date | null; isAnyHeld: boolean }> {
  const { rows } = await db.query<{ dueAt: Date | null; isAnyHeld: boolean }>(
    `SELECT (SELECT min(next_at) FROM webhook_endpoint WHERE state = 'active') AS "dueAt", EXISTS (SELECT FROM webhook_endpoint WHERE state = 'held') AS "isAnyHeld"`,
  )
  return rows[0] ?? { dueAt: null, isAnyHeld: false }
}
