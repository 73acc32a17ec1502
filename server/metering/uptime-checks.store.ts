import type { Pool } from 'pg'

/** Records an uptime check for its UTC day, at most one per minute across all workers, and deletes days older than 400 days. */
export async function recordUptimeCheck(pool: Pool, isGood: boolean): Promise<void> {
  await pool.query(
    `WITH old AS (DELETE FROM service_reading WHERE day < (now() AT TIME ZONE 'UTC')::date - 400)
     INSERT INTO service_reading AS r (day, good, bad, read_at)
     VALUES ((now() AT TIME ZONE 'UTC')::date, $1::boolean::int, (NOT $1::boolean)::int, now())
     ON CONFLICT (day) DO UPDATE SET good = r.good + excluded.good, bad = r.bad + excluded.bad, read_at = excluded.read_at
       WHERE r.read_at < date_trunc('minute', now())`,
    [isGood],
  )
}

export type UptimeRow = { day: string; good: number; bad: number; read_at: Date }

/** Returns the days with at least one uptime check, of the last `count` days, oldest first. */
export async function readUptimeDays(pool: Pool, count: number): Promise<UptimeRow[]> {
  const { rows } = await pool.query<UptimeRow>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, good, bad, read_at FROM service_reading
     WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::int AND day <= (now() AT TIME ZONE 'UTC')::date ORDER BY day LIMIT $1`,
    [count],
  )
  return rows
}
