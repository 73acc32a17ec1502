import type { Database } from '#server/db/prisma.ts'

/** Inserts many accounts, each with an active key, directly into the tables. `apart` is the gap between consecutive account ids. */
export async function makeKeyHolders(pool: Database, count: number, name: string, apart = 1): Promise<void> {
  await pool.query(
    `WITH a AS (INSERT INTO account (id, public_id, email, email_verified_at, state)
       SELECT m.id + n * $3::bigint, 'acc_' || $2 || n, $2 || n || '@example.test', now(), 'open'
       FROM generate_series(1, $1::int) n, (SELECT coalesce(max(id), 0) AS id FROM account) m RETURNING id, public_id)
     INSERT INTO api_key (public_id, account_id, hash, mode, hint, scopes)
     SELECT 'key_' || public_id, id, sha256(public_id::bytea), 'test', 'none', '{}' FROM a`,
    [count, name, apart],
  )
}
