import type { Pool, PoolClient } from 'pg'
import { expect, vi } from 'vitest'

/** Waits until as many sessions of the database wait for a lock. */
export const waiters = (pool: Pool, count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      expect(rows[0]?.count).toBe(count)
    },
    { timeout: 3_000, interval: 5 },
  )

/** Runs `work` while another session holds what `statement` locks; `release` lets go of it. */
export async function whileHeld<Result>(
  pool: Pool,
  statement: string,
  values: unknown[],
  work: (release: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const holder: PoolClient = await pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(statement, values)
    return await work(() => holder.query('COMMIT'))
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
}

export const holdWallet = 'SELECT FROM wallet WHERE account_id = $1 FOR UPDATE'
