import type { Pool } from 'pg'

const answerWithinMs = 2_000

/** Whether the database answers, within two seconds. */
export function isReachable(pool: Pool): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), answerWithinMs).unref())
  const query = pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
