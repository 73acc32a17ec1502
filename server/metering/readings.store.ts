import type { Pool } from 'pg'

/** Counts a reading for its UTC day, one a minute however many workers ask; and forgets days that nobody looks at any more. */
export async function writeReading(pool: Pool, isGood: boolean): Promise<void> {
  await pool.query(
    `WITH old AS (DELETE FROM service_reading WHERE day < (now() AT TIME ZONE 'UTC')::date - 400)
     INSERT INTO service_reading AS r (day, good, bad, read_at)
     VALUES ((now() AT TIME ZONE 'UTC')::date, $1::boolean::int, (NOT $1::boolean)::int, now())
     ON CONFLICT (day) DO UPDATE SET good = r.good + excluded.good, bad = r.bad + excluded.bad, read_at = excluded.read_at
       WHERE r.read_at < date_trunc('minute', now())`,
    [isGood],
  )
}

export type ReadingRow = { day: string; good: number; bad: number; read_at: Date }

/** The days that were read at all, of the last `count`, the oldest first. */
export async function readReadings(pool: Pool, count: number): Promise<ReadingRow[]> {
  const { rows } = await pool.query<ReadingRow>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, good, bad, read_at FROM service_reading
     WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::int AND day <= (now() AT TIME ZONE 'UTC')::date ORDER BY day LIMIT $1`,
    [count],
  )
  return rows
}
