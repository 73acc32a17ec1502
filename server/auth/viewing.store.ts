import type { PoolClient } from 'pg'

/** Begins a view, or turns one to another account. Null when the sign-in looks at this account already, or has ended; else when the view ends. */
export async function writeViewing(client: PoolClient, sessionId: string, accountId: number, minutes: number): Promise<Date | null> {
  const { rows } = await client.query<{ ends_at: Date }>(
    `INSERT INTO portal_viewing AS v (session_id, account_id, ends_at)
     SELECT s.id, a.id, now() + make_interval(mins => $3) FROM portal_session s, account a WHERE s.id = $1 AND a.id = $2 AND a.closed_at IS NULL
     ON CONFLICT (session_id) DO UPDATE SET account_id = excluded.account_id, ends_at = excluded.ends_at
       WHERE v.account_id <> excluded.account_id OR v.ends_at <= now() RETURNING ends_at`,
    [sessionId, accountId, minutes],
  )
  return rows[0]?.ends_at ?? null
}

/** Ends a view. Returns the account that it was of; null: there was none. */
export async function deleteViewing(client: PoolClient, sessionId: string): Promise<number | null> {
  const { rows } = await client.query<{ account_id: string }>('DELETE FROM portal_viewing WHERE session_id = $1 RETURNING account_id', [sessionId])
  return rows[0] ? Number(rows[0].account_id) : null
}
