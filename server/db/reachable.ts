import type { Pool } from 'pg'

const timeoutMs = 2_000

/** Returns true if the database responds within two seconds. */
export function isReachable(pool: Pool): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref())
  const query = pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
