import type { Pool, PoolClient } from 'pg'
import type { NewWebhook, WebhookInterest } from '../contract/webhooks.ts'

type Db = Pool | PoolClient

export async function readAccess(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await db.query<{ is_on: boolean }>('SELECT is_on FROM webhook_account WHERE account_id = $1', [accountId])
  return rows[0]?.is_on ?? false
}

/** What was on hold while webhooks were off goes on at once. Returns whether anything changed. */
export async function writeAccess(client: PoolClient, accountId: number, isOn: boolean, now: Date): Promise<boolean> {
  // Endpoints before the account, as those who hand deliveries out take them.
  if (isOn) await client.query('UPDATE webhook_endpoint SET next_at = least(next_at, $2) WHERE account_id = $1', [accountId, now])
  const { rowCount } = await client.query(
    `INSERT INTO webhook_account AS x (account_id, is_on) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET is_on = excluded.is_on, asked_at = NULL WHERE x.is_on <> excluded.is_on`,
    [accountId, isOn],
  )
  return rowCount === 1
}

/** When an account last asked to have webhooks; null: never. */
export async function readAsked(db: Db, accountId: number): Promise<Date | null> {
  const { rows } = await db.query<{ asked_at: Date | null }>('SELECT asked_at FROM webhook_account WHERE account_id = $1', [accountId])
  return rows[0]?.asked_at ?? null
}

/** Notes that an account asks for webhooks. False when it has them, or asked after `since`: of those who ask at once one is noted. */
export async function writeAsked(client: PoolClient, accountId: number, now: Date, since: Date): Promise<boolean> {
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
  waiting: string
}

const columns = `e.id, e.public_id, e.account_id, e.url, e.description, e.types, e.providers, e.account_types, e.min_change_bp, e.state, e.state_reason, e.created_at,
  e.failing_since, e.old_secret_ends_at, (SELECT count(*) FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'waiting') AS waiting`

export async function readEndpoints(db: Db, accountId: number, most: number): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoint e WHERE e.account_id = $1 AND e.state <> 'deleted' ORDER BY e.id LIMIT $2`,
    [accountId, most],
  )
  return rows
}

/** An endpoint by its public id; of an account, or of any for the operator. */
export async function readEndpoint(db: Db, accountId: number | null, id: string): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoint e WHERE e.public_id = $2 AND ($1::bigint IS NULL OR e.account_id = $1) AND e.state <> 'deleted'`,
    [accountId, id],
  )
  return rows[0]
}

/** The same, held until the transaction ends. */
export async function lockEndpoint(client: PoolClient, accountId: number | null, id: string): Promise<EndpointRow | undefined> {
  await client.query('SELECT FROM webhook_endpoint WHERE public_id = $1 FOR NO KEY UPDATE', [id])
  return readEndpoint(client, accountId, id)
}

/** Endpoints of an account are made one after the other, and none while events are handed on. */
export async function lockForNew(client: PoolClient, accountId: number): Promise<void> {
  await client.query('SELECT FROM webhook_account WHERE account_id = $1 FOR NO KEY UPDATE', [accountId])
  await client.query('SELECT FROM webhook_progress FOR SHARE')
}

export async function countEndpoints(client: PoolClient, accountId: number): Promise<number> {
  const { rows } = await client.query<{ n: string }>("SELECT count(*) AS n FROM webhook_endpoint WHERE account_id = $1 AND state <> 'deleted'", [accountId])
  return Number(rows[0]?.n ?? 0)
}

export async function insertEndpoint(
  client: PoolClient,
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

export async function updateEndpoint(client: PoolClient, id: string, change: WebhookInterest & { url: string; description: string }): Promise<void> {
  await client.query(
    'UPDATE webhook_endpoint SET url = $2, description = $3, types = $4, providers = $5, account_types = $6, min_change_bp = $7 WHERE id = $1',
    [id, change.url, change.description, change.types, change.providers, change.accountTypes, change.minChangeBp],
  )
}

/** The new secret signs from now on, the one before it as well until `endsAt`. */
export async function writeSecret(client: PoolClient, id: string, secret: Buffer, endsAt: Date): Promise<void> {
  await client.query('UPDATE webhook_endpoint SET old_secret = secret, old_secret_ends_at = $3, secret = $2 WHERE id = $1', [id, secret, endsAt])
}

/** Lets an endpoint go on from a clean slate; whoever sends to it at this moment finishes what it sends. */
export async function writeActive(client: PoolClient, id: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET state = 'active', state_reason = NULL, failing_since = NULL, failures = 0, warned_at = NULL, next_at = webhook_next(id, $2)
     WHERE id = $1`,
    [id, now],
  )
}

export async function writePaused(client: PoolClient, id: string): Promise<void> {
  await client.query("UPDATE webhook_endpoint SET state = 'paused' WHERE id = $1", [id])
}

/** Ends an endpoint and what waits for it. What was delivered stays on record; the secrets go. */
export async function writeDeleted(client: PoolClient, id: string): Promise<void> {
  await client.query("UPDATE webhook_endpoint SET state = 'deleted', secret = '', old_secret = NULL, next_at = NULL WHERE id = $1", [id])
  await client.query("UPDATE webhook_delivery SET state = 'cancelled' WHERE endpoint_id = $1 AND state = 'waiting'", [id])
}

export async function countTests(client: PoolClient, endpointId: string, from: Date): Promise<number> {
  const { rows } = await client.query<{ n: string }>(
    'SELECT count(*) AS n FROM (SELECT is_test, created_at FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1000) d WHERE is_test AND created_at > $2',
    [endpointId, from],
  )
  return Number(rows[0]?.n ?? 0)
}

export type TestEvent = { id: string; type: string; data: string; dataWithLogos: string; delivery: string; now: Date }

/** A test event and its delivery, due at once and never charged. */
export async function insertTestEvent(client: PoolClient, endpoint: EndpointRow, event: TestEvent): Promise<void> {
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

/** Looks at the queue of an endpoint at once. One that waits for credits may send what is free meanwhile; the next claim holds it again. */
export async function wake(client: PoolClient, id: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint SET state = CASE WHEN state = 'held' THEN 'active' ELSE state END, next_at = least(coalesce(next_at, $2), $2) WHERE id = $1`,
    [id, now],
  )
}
