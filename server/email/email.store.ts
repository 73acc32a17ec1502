import type { Db } from '#server/db/prisma.ts'
import type { EmailKind } from './email-content.ts'

export async function insertEmail(db: Db, kind: EmailKind, recipient: string, facts: object): Promise<void> {
  await insertEmails(db, kind, [recipient], facts)
}

/** Queues the same email for a few recipients. */
export async function insertEmails(db: Db, kind: EmailKind, recipients: readonly string[], facts: object): Promise<void> {
  await db.query('INSERT INTO email (kind, recipient, data) SELECT $1, recipient, $3::jsonb FROM unnest($2::text[]) AS recipient', [
    kind,
    recipients,
    JSON.stringify(facts),
  ])
}

export type MailRow = {
  id: string
  kind: EmailKind
  recipient: string
  facts: unknown
  attempts: number
  created_at: Date
  age_seconds: number
  /** True for a message of a bulk email, which is sent at most once. */
  of_mailing: boolean
  /** True if the mail server may have accepted the email in an earlier attempt. */
  was_handed: boolean
  /** True if the recipient's account has been closed since. */
  is_closed: boolean
}

const nextDue = (filter: string) =>
  `(SELECT id FROM email WHERE state = 'waiting' AND ${filter} AND due_at <= now() ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`

/** Bulk emails are sent last. */
const next = {
  any: `coalesce(${nextDue('bulk_email_id IS NULL')}, ${nextDue('bulk_email_id IS NOT NULL')})`,
  mailings: nextDue('bulk_email_id IS NOT NULL'),
} as const

/** SQL for the recipient's current address, which differs from `recipient` if the account changed it after the email was queued. */
const currentAddress = 'coalesce((SELECT a.email FROM account a WHERE a.id = email.account_id AND a.closed_at IS NULL), recipient)'

/**
 * Claims the email that has been due longest; a bulk email only if nothing else is due. Other workers skip it until the lease ends, so an email claimed by a
 * process that died is retried. Skips rows that another process is claiming at this moment.
 */
export async function claimMail(db: Db, leaseSeconds: number, from: keyof typeof next): Promise<MailRow | undefined> {
  const { rows } = await db.query<MailRow>({
    name: `claim-mail-${from}`,
    text: `UPDATE email SET attempts = attempts + 1, due_at = now() + make_interval(secs => $1), recipient = ${currentAddress} WHERE id = ${next[from]}
           RETURNING id, kind, recipient, attempts, created_at, extract(epoch FROM now() - created_at)::float8 AS age_seconds, bulk_email_id IS NOT NULL AS of_mailing, handed_over_at IS NOT NULL AS was_handed,
             coalesce((SELECT m.data FROM bulk_email m WHERE m.id = email.bulk_email_id), data) AS facts,
             coalesce((SELECT a.closed_at IS NOT NULL FROM account a WHERE a.id = email.account_id), false) AS is_closed`,
    values: [leaseSeconds],
  })
  return rows[0]
}

/** A claimed email, identified by its attempt. If it has been claimed again since, the attempt number differs and the earlier worker's updates match no row. */
type Taken = Pick<MailRow, 'id' | 'attempts'>

/**
 * Records that the mail server has received all of the email except its last line. Mail servers accept an email only with that line. Returns false if another
 * worker has claimed the email since.
 */
export async function markHanded(db: Db, { id, attempts }: Taken): Promise<boolean> {
  const text = "UPDATE email SET handed_over_at = now() WHERE id = $1 AND attempts = $2 AND state = 'waiting'"
  return (await db.query({ name: 'mark-mail-handed', text, values: [id, attempts] })).rowCount === 1
}

export type MailEnd = 'sent' | 'dropped' | 'failed' | 'unsure'

export async function finishMail(db: Db, { id, attempts }: Taken, state: MailEnd, fault: string | null): Promise<void> {
  const text = 'UPDATE email SET state = $3, fault = $4, done_at = now() WHERE id = $1 AND attempts = $2'
  await db.query({ name: 'finish-mail', text, values: [id, attempts, state, fault] })
}

export async function retryMail(db: Db, { id, attempts }: Taken, afterSeconds: number, fault: string): Promise<void> {
  await db.query('UPDATE email SET due_at = now() + make_interval(secs => $3), fault = $4, handed_over_at = NULL WHERE id = $1 AND attempts = $2', [
    id,
    attempts,
    afterSeconds,
    fault,
  ])
}

/** Counts the emails of a kind sent to an address in the last hour, and checks whether one was sent within `recentSeconds`. */
export async function countSent(db: Db, recipient: string, kind: EmailKind, recentSeconds: number): Promise<{ count: number; isRecent: boolean }> {
  const { rows } = await db.query<{ n: string; is_recent: boolean }>(
    `SELECT count(*) AS n, coalesce(max(done_at) > now() - make_interval(secs => $3), false) AS is_recent
     FROM email WHERE recipient = $1 AND kind = $2 AND state = 'sent' AND done_at > now() - interval '1 hour'`,
    [recipient, kind, recentSeconds],
  )
  return { count: Number(rows[0]?.n ?? 0), isRecent: rows[0]?.is_recent ?? false }
}

export async function insertOutbox(db: Db, message: { recipient: string; subject: string; text: string; html: string }): Promise<void> {
  await db.query('INSERT INTO email_outbox (recipient, subject, body_text, body_html) VALUES ($1, $2, $3, $4)', [
    message.recipient,
    message.subject,
    message.text,
    message.html,
  ])
}

export type OutboxRow = { id: string; at: Date; recipient: string; subject: string; body_text: string; body_html: string }

export async function readOutbox(db: Db, max: number): Promise<OutboxRow[]> {
  const { rows } = await db.query<OutboxRow>('SELECT id, at, recipient, subject, body_text, body_html FROM email_outbox ORDER BY id DESC LIMIT $1', [max])
  return rows
}

/** Deletes emails that were finished more than 30 days ago, and emails in the outbox that are older than 30 days. */
export async function forgetMails(db: Db): Promise<void> {
  await db.query(
    `DELETE FROM email WHERE id IN (
       SELECT id FROM email WHERE state <> 'waiting' AND done_at < now() - interval '30 days' LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  )
  await db.query("DELETE FROM email_outbox WHERE id IN (SELECT id FROM email_outbox WHERE at < now() - interval '30 days' FOR UPDATE SKIP LOCKED)")
}

/** Counting stops here, because the exact number doesn't matter above it. */
const maxCounted = 100_000

/**
 * The table is large, so the query reads only the partial index for each of the two kinds of waiting email. Retries postpone `due_at`, so emails that have been
 * attempted count as due since their creation. Otherwise nothing would look overdue while the mail server is down.
 */
const queueSql = (filter: string) => `SELECT (SELECT count(*) FROM (SELECT FROM email WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m) AS waiting,
  least((SELECT min(due_at) FROM email WHERE state = 'waiting' AND ${filter} AND due_at <= now()),
    (SELECT min(created_at) FROM (SELECT created_at, attempts FROM email WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m WHERE attempts > 0)) AS oldest`

export type MailQueueRow = { waiting: number; oldest: Date | null }

/** Number of waiting emails, and the earliest time at which one of them could have been sent. */
export async function readMailQueue(pool: Db): Promise<MailQueueRow> {
  const { rows } = await pool.query<MailQueueRow>(
    `SELECT sum(waiting)::int AS waiting, min(oldest) AS oldest FROM (${queueSql('bulk_email_id IS NULL')} UNION ALL ${queueSql('bulk_email_id IS NOT NULL')}) q`,
  )
  return rows[0] ?? { waiting: 0, oldest: null }
}
