/** Inserts endpoints and queued events for the webhook benchmark directly into the database. */

import { encrypt } from '#server/accounts/encryption.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'

export type Filling = {
  /** Key for encrypting the endpoint secrets, as in the service. */
  readonly secret: string
  readonly count: number
  readonly url: string
  /** One endpoint in this many never responds; 0 if all respond. */
  readonly hangEvery?: number
}

const endpointsEach = 20
const credits = 100_000_000

let made = 0

/** Creates new endpoints, up to 20 per account, and marks all existing ones as deleted. */
export async function fillEndpoints(pool: Database, { secret, count, url, hangEvery = 0 }: Filling): Promise<void> {
  await pool.query("UPDATE webhook_endpoint SET state = 'deleted', next_at = NULL WHERE state <> 'deleted'")
  const accounts: number[] = []
  for (let n = 0; n < Math.ceil(count / endpointsEach); n++) {
    const request = { email: `webhooks-${++made}@bench.test`, password: null, plan: 'business' as const, isAdmin: false, isApproved: true, isVerified: true }
    accounts.push((await openAccount(pool, request, { kind: 'adjustment', credits })).id)
  }
  await pool.query('INSERT INTO webhook_account (account_id, is_on) SELECT unnest($1::bigint[]), true', [accounts])
  const ids = Array.from({ length: count }, (_, n) => `whe_bench_${made}_${n}`)
  const encrypted = ids.map((id) => encrypt(secret, 'webhook secrets', id, `whsec_${id}`))
  const urls = ids.map((_, n) => `${url}/${hangEvery > 0 && n % hangEvery === 0 ? 'hang' : 'ok'}/${n}`)
  await pool.query(
    `INSERT INTO webhook_endpoint (public_id, account_id, url, types, secret, created_at, since_seq)
     SELECT id, ($3::bigint[])[1 + (n - 1) % cardinality($3::bigint[])], url, '{rate.changed}', secret, now(), 0
     FROM unnest($1::text[], $2::text[], $4::bytea[]) WITH ORDINALITY AS t(id, url, secret, n)`,
    [ids, urls, accounts, encrypted],
  )
}

/** Queues the given number of events for each endpoint, all due now. */
export async function fillQueues(pool: Database, eventsEach: number, data: string): Promise<void> {
  await pool.query(
    `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) SELECT 'evt_bench_' || n, 'rate.changed', now(), $2, $2 FROM generate_series(1, $1::int) n
     ON CONFLICT DO NOTHING`,
    [eventsEach, data],
  )
  await pool.query(
    `INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, due_at, created_at)
     SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, 'evt_bench_' || n, now(), now()
     FROM generate_series(1, $1::int) n, webhook_endpoint e WHERE e.state = 'active'`,
    [eventsEach],
  )
  await pool.query("UPDATE webhook_endpoint SET next_at = now(), lease = NULL, leased_until = NULL WHERE state = 'active'")
}

export async function emptyQueues(pool: Database): Promise<void> {
  await pool.query('TRUNCATE webhook_attempt, webhook_delivery, webhook_event')
}

export async function countDelivered(pool: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM webhook_delivery WHERE state = 'delivered'")
  return rows[0]?.n ?? 0
}
