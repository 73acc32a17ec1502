import type { Pool } from 'pg'

/** Tries of what a fault keeps from being done: after 1, 2, 4 … minutes, then about every hour, and so for about a day. */
export const mostAttempts = 28

/** When a row that failed `attempts` times before this one is looked at again. */
export const nextTry = 'clock_timestamp() + make_interval(mins => (2 ^ least(attempts, 6))::int)'

/** Whether a row is to be looked at. Those that have not failed come first, and then those that wait longest: `ORDER BY not_before NULLS FIRST`. */
export const isDue = (table: string): string => `(${table}.not_before IS NULL OR ${table}.not_before <= clock_timestamp())`

/** Puts a purchase off, of which something could not be asked or told; true when it was for the last time. */
export async function putOffTopUp(pool: Pool, topUp: string): Promise<boolean> {
  const { rows } = await pool.query<{ is_last: boolean }>(
    `UPDATE top_up SET attempts = attempts + 1, not_before = ${nextTry} WHERE public_id = $1 AND state IN ('open', 'pending')
     RETURNING attempts >= $2 AS is_last`,
    [topUp, mostAttempts],
  )
  return rows[0]?.is_last === true
}
