import type { NewWebhook, WebhookInterest } from '#server/api/contract/webhooks.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'

export async function readAccess(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await db.query<{ is_on: boolean }>('SELECT is_on FROM webhook_account WHERE account_id = $1', [accountId])
  return rows[0]?.is_on ?? false
}

const wakeAllSql = `UPDATE webhook_endpoint w SET next_at = greatest(least(w.next_at, $2), w.rests_until)
  FROM (SELECT id FROM webhook_endpoint WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`

/** Enables or disables webhooks for an account. Enabling resumes queued deliveries immediately. Returns true if anything changed. */
export async function writeAccess(client: Transaction, accountId: number, isOn: boolean, now: Date): Promise<boolean> {
  // Lock endpoints before the account, as claiming deliveries does, and in id order, as recording outcomes does.
  if (isOn) await client.query(wakeAllSql, [accountId, now])
  const { rowCount } = await client.query(
    `INSERT INTO webhook_account AS x (account_id, is_on)
     SELECT $1::bigint, $2::boolean WHERE $2::boolean OR EXISTS (SELECT FROM webhook_account WHERE account_id = $1)
     ON CONFLICT (account_id) DO UPDATE SET is_on = excluded.is_on, asked_at = NULL WHERE x.is_on <> excluded.is_on`,
    [accountId, isOn],
  )
  return rowCount === 1
}

/** Returns the time at which an account last asked for webhooks; null if it never has. */
export async function readAsked(db: Db, accountId: number): Promise<Date | null> {
  const { rows } = await db.query<{ asked_at: Date | null }>('SELECT asked_at FROM webhook_account WHERE account_id = $1', [accountId])
  return rows[0]?.asked_at ?? null
}

/** Records a request for webhooks. Returns false if the account has webhooks or asked after `since`. Of several concurrent requests, only one is recorded. */
export async function writeAsked(client: Transaction, accountId: number, now: Date, since: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO webhook_account AS x (account_id, is_on, asked_at) VALUES ($1, false, $2)
     ON CONFLICT (account_id) DO UPDATE SET asked_at = excluded.asked_at WHERE NOT x.is_on AND (x.asked_at IS NULL OR x.asked_at <= $3)`,
    [accountId, now, since],
  )
  return rowCount === 1
}

export type EndpointRow = {
  id: string
  public_id: string
  account_id: string
  url: string
  description: string
  types: string[]
  providers: string[]
  account_types: string[]
  min_change_bp: number | null
  state: 'active' | 'paused' | 'held' | 'disabled'
  state_reason: 'gone' | 'failures' | null
  created_at: Date
  failing_since: Date | null
  old_secret_ends_at: Date | null
}

const columns = `e.id, e.public_id, e.account_id, e.url, e.description, e.types, e.providers, e.account_types, e.min_change_bp, e.state, e.state_reason, e.created_at,
  e.failing_since, e.old_secret_ends_at`

/** Endpoint with its number of waiting deliveries, counted up to `maxCounted`, and its attempt counts since a time. */
export type CountedRow = EndpointRow & { waiting: number; attempts: number; delivered: number }

const countedSql = `SELECT ${columns}, q.waiting, t.attempts, t.delivered FROM webhook_endpoint e
  CROSS JOIN LATERAL (SELECT count(*)::int AS waiting FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'waiting' LIMIT $3) w) q
  CROSS JOIN LATERAL (SELECT count(*)::int AS attempts, count(*) FILTER (WHERE a.outcome = 'delivered')::int AS delivered
    FROM webhook_attempt a WHERE a.endpoint_id = e.id AND a.at >= $4) t
  WHERE e.state <> 'deleted' AND e.account_id = $1 AND ($2::text IS NULL OR e.public_id = $2) ORDER BY e.id LIMIT $5`

/** Returns an account's endpoints, or one of them. */
export async function readCounted(db: Db, accountId: number, id: string | null, from: Date, max: { counted: number; rows: number }): Promise<CountedRow[]> {
  return (await db.query<CountedRow>(countedSql, [accountId, id, max.counted, from, max.rows])).rows
}

export type ShortageRow = { balance: string; credits: string; owed: number; unpaid: number }

/**
 * Returns an account's balance, spendable credits and number of unpaid events, and the number of chargeable events that wait for the endpoint. Counts stop at
 * `max`.
 */
export async function readShortage(db: Db, endpointId: string, max: number): Promise<ShortageRow | undefined> {
  const { rows } = await db.query<ShortageRow>(
    `SELECT w.balance, webhook_credits(w, clock_timestamp()) AS credits,
       (SELECT count(*)::int FROM (SELECT FROM webhook_delivery d WHERE d.account_id = e.account_id AND d.is_owed LIMIT $2) o) AS owed,
       (SELECT count(*)::int FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND NOT d.is_test
         AND NOT d.is_free AND d.charged_at IS NULL AND NOT d.is_owed LIMIT $2) u) AS unpaid
     FROM webhook_endpoint e JOIN wallet w ON w.account_id = e.account_id WHERE e.id = $1`,
    [endpointId, max],
  )
  return rows[0]
}

/** Finds an endpoint by public id. For an operator, `accountId` is null, and any account matches. */
export async function readEndpoint(db: Db, accountId: number | null, id: string): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoint e WHERE e.public_id = $2 AND ($1::bigint IS NULL OR e.account_id = $1) AND e.state <> 'deleted'`,
    [accountId, id],
  )
  return rows[0]
}

/** Returns an account's public id. */
export async function readAccount(db: Db, accountId: string): Promise<string> {
  return (await db.query<{ public_id: string }>('SELECT public_id FROM account WHERE id = $1', [accountId])).rows[0]?.public_id ?? ''
}

/** Locks an endpoint until the transaction ends and returns it as `readEndpoint` does. */
export async function lockEndpoint(client: Transaction, accountId: number | null, id: string): Promise<EndpointRow | undefined> {
  await client.query('SELECT FROM webhook_endpoint WHERE public_id = $1 FOR NO KEY UPDATE', [id])
  return readEndpoint(client, accountId, id)
}

/** Serialises endpoint creation within an account, and with event fan-out. Takes the fan-out lock first, so that no other lock is held while waiting for it. */
export async function lockForNew(client: Transaction, accountId: number): Promise<void> {
  await client.query('SELECT FROM webhook_progress FOR SHARE')
  await client.query('SELECT FROM webhook_account WHERE account_id = $1 FOR NO KEY UPDATE', [accountId])
}

export async function countEndpoints(client: Transaction, accountId: number): Promise<number> {
  const { rows } = await client.query<{ n: string }>("SELECT count(*) AS n FROM webhook_endpoint WHERE account_id = $1 AND state <> 'deleted'", [accountId])
  return Number(rows[0]?.n ?? 0)
}

export async function insertEndpoint(
  client: Transaction,
  accountId: number,
  made: { publicId: string; secret: Buffer; now: Date },
  webhook: NewWebhook,
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoint (public_id, account_id, url, description, types, providers, account_types, min_change_bp, secret, created_at, since_seq)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce(max(seq), 0) FROM market_event`,
    [
      made.publicId,
      accountId,
      webhook.url,
      webhook.description,
      webhook.types,
      webhook.providers,
      webhook.accountTypes,
      webhook.minChangeBp,
      made.secret,
      made.now,
    ],
  )
}

/** Updates an endpoint's settings, effective with the next delivery. */
export async function updateEndpoint(client: Transaction, id: string, change: WebhookInterest & { url: string; description: string }): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET url = $2, description = $3, types = $4, providers = $5, account_types = $6, min_change_bp = $7, is_changed = true
     WHERE id = $1`,
    [id, change.url, change.description, change.types, change.providers, change.accountTypes, change.minChangeBp],
  )
}

/**
 * Stores a new secret. It signs from the next delivery on; until `endsAt`, the previous secret also signs. If the secret is changed again before then, the
 * original secret keeps signing alongside the newest one: the secret in between was shown once and may never have been deployed.
 */
export async function writeSecret(client: Transaction, id: string, secret: Buffer, now: Date, endsAt: Date): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET old_secret = CASE WHEN old_secret_ends_at > $3 THEN coalesce(old_secret, secret) ELSE secret END, old_secret_ends_at = $4,
       secret = $2, is_changed = true WHERE id = $1`,
    [id, secret, now, endsAt],
  )
}

/** Activates an endpoint and resets its failure record. A worker that is sending to it finishes its current delivery. */
export async function writeActive(client: Transaction, id: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET state = 'active', state_reason = NULL, failing_since = NULL, failures = 0, warned_at = NULL, rests_until = NULL,
       next_at = webhook_next(id, $2)
     WHERE id = $1`,
    [id, now],
  )
}

export async function writePaused(client: Transaction, id: string): Promise<void> {
  await client.query("UPDATE webhook_endpoint SET state = 'paused' WHERE id = $1", [id])
}

/** Deletes an endpoint and its secrets. Waiting deliveries are never sent and are cancelled later; past deliveries are kept. */
export async function writeDeleted(client: Transaction, id: string): Promise<void> {
  await client.query("UPDATE webhook_endpoint SET state = 'deleted', secret = '', old_secret = NULL, next_at = NULL WHERE id = $1", [id])
}

/** Deletes the endpoints of closed accounts, including their URLs, which are personal data. */
export async function endClosed(pool: Database): Promise<void> {
  await pool.query(
    `UPDATE webhook_endpoint w SET state = 'deleted', url = '', description = '', secret = '', old_secret = NULL, next_at = NULL
     FROM (SELECT e.id FROM webhook_endpoint e JOIN account a ON a.id = e.account_id AND a.closed_at IS NOT NULL
       WHERE e.state <> 'deleted' OR e.url <> '' ORDER BY e.id FOR NO KEY UPDATE OF e) l WHERE w.id = l.id`,
  )
}

export async function countTests(client: Transaction, endpointId: string, from: Date): Promise<number> {
  const { rows } = await client.query<{ n: string }>(
    'SELECT count(*) AS n FROM (SELECT is_test, created_at FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1000) d WHERE is_test AND created_at > $2',
    [endpointId, from],
  )
  return Number(rows[0]?.n ?? 0)
}

export type TestEvent = { id: string; type: string; data: string; dataWithLogos: string; delivery: string; now: Date }

/** Inserts a test event and its delivery, due immediately and free of charge. */
export async function insertTestEvent(client: Transaction, endpoint: EndpointRow, event: TestEvent): Promise<void> {
  const { id, type, data, dataWithLogos, delivery, now } = event
  await client.query('INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ($1, $2, $3, $4, $5)', [
    id,
    type,
    now,
    data,
    dataWithLogos,
  ])
  await client.query(
    `INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, is_test, due_at, created_at) VALUES ($1, $2, $3, $4, true, $5, $5)`,
    [delivery, endpoint.id, endpoint.account_id, id, now],
  )
  await wake(client, endpoint.id, now)
}

/**
 * Makes an endpoint's queue due immediately, even if the endpoint is backing off. An endpoint held for lack of credits may then send free deliveries; the next
 * claim holds it again.
 */
export async function wake(client: Transaction, id: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET state = CASE WHEN state = 'held' THEN 'active' ELSE state END, rests_until = NULL, next_at = least(next_at, $2)
     WHERE id = $1`,
    [id, now],
  )
}
