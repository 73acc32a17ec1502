import type { Pool, PoolClient } from 'pg'
import type { AccountEventType, LowBalance } from '#server/api/contract/events.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { wakeQueues } from './fan-out.store.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { WrittenData } from './webhook-deps.ts'

/** Account event with the endpoints subscribed to it when it happened. Type and facts are written together by `tell_low_balance`. */
export type AccountEventRow = {
  event_id: string
  account: string
  type: AccountEventType
  facts: Pick<LowBalance, 'thresholdCredits' | 'balanceCredits'>
  endpoints: string[]
  at: Date
}

/** Locks the rows instead of skipping them: concurrent callers wait and take later events, so an account's events keep their order. */
async function takeEvents(client: PoolClient, max: number): Promise<AccountEventRow[]> {
  const { rows } = await client.query<AccountEventRow>(
    `WITH taken AS (DELETE FROM account_event WHERE id IN (SELECT id FROM account_event ORDER BY id LIMIT $1 FOR UPDATE) RETURNING *)
     SELECT t.event_id, a.public_id AS account, t.type, t.facts, t.endpoints, t.at FROM taken t JOIN account a ON a.id = t.account_id ORDER BY t.id`,
    [max],
  )
  return rows
}

const deliverSql = `WITH made AS (
    INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, is_free, due_at, created_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, true, t.now, t.now
    FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS v(id, type, endpoint, n)
      CROSS JOIN (SELECT coalesce($1::timestamptz, statement_timestamp()) AS now) t
      JOIN webhook_endpoint e ON e.id = v.endpoint AND v.type = ANY (e.types) AND e.state IN ('active', 'paused', 'held')
      JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
      JOIN account a ON a.id = e.account_id AND a.closed_at IS NULL
    ORDER BY v.n
    ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id)
  SELECT DISTINCT endpoint_id FROM made`

/** Turns the oldest events, at most `max`, into deliveries in one transaction. Returns the number of events taken. */
export async function forwardEvents(pool: Pool, now: DatabaseTime, max: number, write: (row: AccountEventRow) => WrittenData): Promise<number> {
  return inTransaction(pool, async (client) => {
    const events = await takeEvents(client, max)
    if (events.length === 0) return 0
    const written = events.map(write)
    await client.query(
      `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [
        events.map(({ event_id: id }) => id),
        events.map(({ type }) => type),
        events.map(({ at }) => at),
        written.map(({ data }) => data),
        written.map(({ dataWithLogos }) => dataWithLogos),
      ],
    )
    const pairs = events.flatMap(({ event_id: id, type, endpoints }) => endpoints.map((endpoint) => ({ id, type, endpoint })))
    const { rows } = await client.query<{ endpoint_id: string }>(deliverSql, [
      now,
      pairs.map(({ id }) => id),
      pairs.map(({ type }) => type),
      pairs.map(({ endpoint }) => endpoint),
    ])
    await wakeQueues(
      client,
      now,
      rows.map(({ endpoint_id: id }) => id),
    )
    return events.length
  })
}
