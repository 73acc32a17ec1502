import type { PoolClient } from 'pg'
import { expect, vi } from 'vitest'
import type { Database } from '#server/db/prisma.ts'

/** Waits until exactly this many sessions of the database are waiting for a lock. */
export const waiters = (pool: Database, count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      expect(rows[0]?.count).toBe(count)
    },
    { timeout: 3_000, interval: 5 },
  )

/** Runs `work` while another session holds the locks that `statement` takes. `work` receives a function that releases them. */
export async function whileHeld<Result>(
  pool: Database,
  statement: string,
  values: unknown[],
  work: (release: () => Promise<unknown>, holder: PoolClient) => Promise<Result>,
): Promise<Result> {
  const holder: PoolClient = await pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(statement, values)
    return await work(() => holder.query('COMMIT'), holder)
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
}

/**
 * Runs `work` while another session holds the lock of `first`. Once `work` is waiting, that session also takes the lock of `second`. Code that takes the
 * two locks in the opposite order deadlocks.
 * @returns the error of `work`; null if it succeeded
 */
export const behindBoth = (pool: Database, first: string, second: string, values: unknown[], work: () => Promise<unknown>): Promise<unknown> =>
  whileHeld(pool, first, values, async (release, holder) => {
    const fault = work().then(
      () => null,
      (error: unknown) => error,
    )
    await waiters(pool, 1)
    await holder.query(second, values)
    await release()
    return fault
  })

export const holdWallet = 'SELECT FROM wallet WHERE account_id = $1 FOR UPDATE'
