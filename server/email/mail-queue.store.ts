import type { Pool, PoolClient } from 'pg'

/** Beyond so many nobody needs the exact number. */
const mostCounted = 100_000

/**
 * Each of the two kinds has an index of what waits, and the table is large: nothing but those indexes is looked at. An attempt puts off when a mail is due,
 * so one that was tried counts from its beginning: while a mail server is away none is due for long.
 */
const queueOf = (whose: string) => `SELECT (SELECT count(*) FROM (SELECT FROM mail WHERE state = 'waiting' AND ${whose} LIMIT ${mostCounted}) m) AS waiting,
  least((SELECT min(due_at) FROM mail WHERE state = 'waiting' AND ${whose} AND due_at <= now()),
    (SELECT min(created_at) FROM (SELECT created_at, attempts FROM mail WHERE state = 'waiting' AND ${whose} LIMIT ${mostCounted}) m WHERE attempts > 0)) AS oldest`

export type MailQueueRow = { waiting: number; oldest: Date | null }

/** Mails that wait to be sent, and since when the one could have been sent that has waited for longest. */
export async function readMailQueue(pool: Pool | PoolClient): Promise<MailQueueRow> {
  const { rows } = await pool.query<MailQueueRow>(
    `SELECT sum(waiting)::int AS waiting, min(oldest) AS oldest FROM (${queueOf('mailing_id IS NULL')} UNION ALL ${queueOf('mailing_id IS NOT NULL')}) q`,
  )
  return rows[0] ?? { waiting: 0, oldest: null }
}
