import type { Pool } from 'pg'

/** Beyond so many nobody needs the exact number. */
const mostCounted = 100_000

export type MailQueueRow = { waiting: number; oldest: Date | null }

/** Mails that wait to be sent, and since when the one has been due that has been due for longest. */
export async function readMailQueue(pool: Pool): Promise<MailQueueRow> {
  const { rows } = await pool.query<MailQueueRow>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM mail WHERE state = 'waiting' LIMIT ${mostCounted}) m) AS waiting,
       (SELECT min(due_at) FROM mail WHERE state = 'waiting' AND due_at <= now()) AS oldest`,
  )
  return rows[0] ?? { waiting: 0, oldest: null }
}
