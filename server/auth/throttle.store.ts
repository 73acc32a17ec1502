import type { Database } from '#server/db/prisma.ts'

/** Counts an attempt in a bucket. Returns the number in the current window and when the window ends. */
export async function countAttempt(pool: Database, bucket: Buffer, windowSeconds: number): Promise<{ used: number; endsAt: Date }> {
  const { rows } = await pool.query<{ used: number; ends_at: Date }>(
    `INSERT INTO throttle AS a (bucket, used, ends_at) VALUES ($1, 1, now() + make_interval(secs => $2))
     ON CONFLICT (bucket) DO UPDATE SET
       used = CASE WHEN a.ends_at <= now() THEN 1 ELSE a.used + 1 END,
       ends_at = CASE WHEN a.ends_at <= now() THEN excluded.ends_at ELSE a.ends_at END
     RETURNING used, ends_at`,
    [bucket, windowSeconds],
  )
  const row = rows[0]
  if (!row) throw new Error('An upsert returned no row.')
  return { used: row.used, endsAt: row.ends_at }
}

/** Takes back counted attempts. Locks the buckets in a fixed order to avoid deadlocks. */
export async function forgiveAttempts(pool: Database, buckets: readonly Buffer[]): Promise<void> {
  await pool.query(
    `UPDATE throttle a SET used = greatest(a.used - 1, 0)
     FROM (SELECT bucket FROM throttle WHERE bucket = ANY ($1) ORDER BY bucket FOR NO KEY UPDATE) l WHERE a.bucket = l.bucket`,
    [buckets],
  )
}

/** Resets a bucket. */
export async function forgetAttempts(pool: Database, bucket: Buffer): Promise<void> {
  await pool.query('DELETE FROM throttle WHERE bucket = $1', [bucket])
}

/** Deletes expired windows. */
export async function forgetWindows(pool: Database): Promise<void> {
  await pool.query('DELETE FROM throttle WHERE bucket IN (SELECT bucket FROM throttle WHERE ends_at < now() LIMIT 10000 FOR UPDATE SKIP LOCKED)')
}
