import type { Pool, PoolClient } from 'pg'

/** Counting stops here, because the exact number doesn't matter above it. */
const maxCounted = 100_000

/**
 * The table is large, so the query reads only the partial index for each of the two kinds of waiting email. Retries postpone `due_at`, so emails already
 * attempted count from their creation: otherwise nothing would look overdue while the mail server is down.
 */
const queueSql = (filter: string) => `SELECT (SELECT count(*) FROM (SELECT FROM mail WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m) AS waiting,
  least((SELECT min(due_at) FROM mail WHERE state = 'waiting' AND ${filter} AND due_at <= now()),
    (SELECT min(created_at) FROM (SELECT created_at, attempts FROM mail WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m WHERE attempts > 0)) AS oldest`

export type MailQueueRow = { waiting: number; oldest: Date | null }

/** Number of waiting emails, and the earliest time at which one of them could have been sent. */
export async function readMailQueue(pool: Pool | PoolClient): Promise<MailQueueRow> {
  const { rows } = await pool.query<MailQueueRow>(
    `SELECT sum(waiting)::int AS waiting, min(oldest) AS oldest FROM (${queueSql('mailing_id IS NULL')} UNION ALL ${queueSql('mailing_id IS NOT NULL')}) q`,
  )
  return rows[0] ?? { waiting: 0, oldest: null }
}
