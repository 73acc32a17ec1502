import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/prisma.ts'
import type { OutcomeRow } from '#server/webhooks/queue.sql.ts'

/** Inserts a waiting delivery and returns the outcome of a successful attempt, ready to be recorded. Nothing is sent. */
export async function deliveredEvent(pool: Database, accountId: number): Promise<OutcomeRow> {
  const id = randomUUID()
  const { rows } = await pool.query<{ endpoint: number; delivery: string }>(
    `WITH e AS (INSERT INTO webhook_endpoint (public_id, account_id, url, types, secret, created_at, since_seq)
         VALUES ($2, $1, 'https://hooks.example.com/', '{rate.changed}', '', now(), 0) RETURNING id),
       v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ($2, 'rate.changed', now(), '{}', '{}') RETURNING id)
     INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, due_at, created_at) SELECT $2, e.id, $1, v.id, now(), now() FROM e, v
     RETURNING endpoint_id AS endpoint, id AS delivery`,
    [accountId, id],
  )
  const [row] = rows
  if (!row) throw new Error('The delivery was not inserted.')
  const response = { status: 200, fault: null, totalMs: 1, firstByteMs: 1, address: '93.184.216.34', headers: '{}', body: '' }
  return {
    ...row,
    ...response,
    lease: randomUUID(),
    round: 1,
    attempt: 1,
    isDelivered: true,
    isGone: false,
    waitMs: null,
    isSlow: false,
    isLast: true,
    isSent: true,
    at: new Date(),
  }
}
