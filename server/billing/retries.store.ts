import type { Database } from '#server/db/prisma.ts'

/** Maximum number of attempts. Retries follow after 1, 2, 4 … minutes, then about every hour, for about a day. */
export const maxAttempts = 28

/** SQL for the time of the next attempt. `attempts` is the number of failures before the current one. */
export const nextAttempt = 'clock_timestamp() + make_interval(mins => (2 ^ least(attempts, 6))::int)'

/** SQL condition for rows that are due. With `ORDER BY not_before NULLS FIRST`, rows that have not failed come first, then the ones due longest. */
export const isDue = (table: string): string => `(${table}.not_before IS NULL OR ${table}.not_before <= clock_timestamp())`

/** Postpones an open or pending top-up after a failed attempt. Returns true after the last one. */
export async function postponeTopUp(pool: Database, topUp: string): Promise<boolean> {
  const { rows } = await pool.query<{ is_last: boolean }>(
    `UPDATE top_up SET attempts = attempts + 1, not_before = ${nextAttempt} WHERE public_id = $1 AND state IN ('open', 'pending')
     RETURNING attempts >= $2 AS is_last`,
    [topUp, maxAttempts],
  )
  return rows[0]?.is_last === true
}
