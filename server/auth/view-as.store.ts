import type { Transaction } from '#server/db/prisma.ts'
import { isLiveSession } from './sessions.store.ts'

/** Returns and locks the account of a view-as whose end is not in the audit log yet; null if there is none. */
export async function lockUnrecorded(client: Transaction, sessionId: string): Promise<number | null> {
  const { rows } = await client.query<{ account_id: string }>('SELECT account_id FROM view_as WHERE session_id = $1 AND notified_at IS NULL FOR UPDATE', [
    sessionId,
  ])
  return rows[0] ? Number(rows[0].account_id) : null
}

/** Starts a view-as, or switches it to another account. Returns its end time, or null if the session is already viewing this account or has ended. */
export async function writeViewAs(client: Transaction, sessionId: string, accountId: number, minutes: number): Promise<Date | null> {
  const { rows } = await client.query<{ ends_at: Date }>(
    `INSERT INTO view_as AS v (session_id, account_id, ends_at)
     SELECT s.id, a.id, now() + make_interval(mins => $3) FROM portal_session s, account a WHERE s.id = $1 AND a.id = $2 AND a.closed_at IS NULL
     ON CONFLICT (session_id) DO UPDATE SET account_id = excluded.account_id, ends_at = excluded.ends_at, notified_at = NULL
       WHERE v.account_id <> excluded.account_id OR v.ends_at <= now() RETURNING ends_at`,
    [sessionId, accountId, minutes],
  )
  return rows[0]?.ends_at ?? null
}

/** Ends a view-as. Returns its account, or null if there was none. */
export async function deleteViewAs(client: Transaction, sessionId: string): Promise<number | null> {
  const { rows } = await client.query<{ account_id: string }>('DELETE FROM view_as WHERE session_id = $1 RETURNING account_id', [sessionId])
  return rows[0] ? Number(rows[0].account_id) : null
}

/**
 * Marks view-as sessions that expired or whose session ended as recorded, and returns them for the audit log. `admin` is the public id of the administrator.
 */
export async function takeExpired(client: Transaction, max: number): Promise<{ accountId: number; admin: string; endsAt: Date }[]> {
  const { rows } = await client.query<{ account_id: string; admin: string; ends_at: Date }>(
    `WITH l AS (
       SELECT v.session_id, a.public_id FROM view_as v JOIN portal_session s ON s.id = v.session_id JOIN account a ON a.id = s.account_id
       WHERE v.notified_at IS NULL AND (v.ends_at <= now() OR NOT ${isLiveSession})
       LIMIT $1 FOR UPDATE OF v SKIP LOCKED)
     UPDATE view_as w SET notified_at = now() FROM l WHERE w.session_id = l.session_id RETURNING w.account_id, l.public_id AS admin, w.ends_at`,
    [max],
  )
  return rows.map(({ account_id, admin, ends_at }) => ({ accountId: Number(account_id), admin, endsAt: ends_at }))
}
