import type { Pool, PoolClient } from 'pg'
import type { MailKind } from './mail-kinds.ts'

type Db = Pool | PoolClient

export async function insertMail(db: Db, kind: MailKind, recipient: string, facts: object): Promise<void> {
  await insertMails(db, kind, [recipient], facts)
}

/** The same mail to each of a few. */
export async function insertMails(db: Db, kind: MailKind, recipients: readonly string[], facts: object): Promise<void> {
  await db.query('INSERT INTO mail (kind, recipient, facts) SELECT $1, recipient, $3::jsonb FROM unnest($2::text[]) AS recipient', [
    kind,
    recipients,
    JSON.stringify(facts),
  ])
}

export type MailRow = {
  id: string
  kind: MailKind
  recipient: string
  facts: unknown
  attempts: number
  created_at: Date
  age_seconds: number
  /** It is one of many, and told once or not at all. */
  of_mailing: boolean
  /** An attempt before this one came so far that the mail server may have taken it. */
  was_handed: boolean
  /** The account that it is for has been closed since. */
  is_closed: boolean
}

const dueFirst = (whose: string) =>
  `(SELECT id FROM mail WHERE state = 'waiting' AND ${whose} AND due_at <= now() ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`

/** Those that somebody waits for come first. */
const next = {
  any: `coalesce(${dueFirst('mailing_id IS NULL')}, ${dueFirst('mailing_id IS NOT NULL')})`,
  mailings: dueFirst('mailing_id IS NOT NULL'),
} as const

/** Where a mail goes whose account has another address by now than when the mail was made. */
const addressNow = 'coalesce((SELECT a.email FROM account a WHERE a.id = mail.account_id AND a.closed_at IS NULL), recipient)'

/**
 * Takes the mail that has been due for longest, and one of a mailing only when there is no other. Until the lease ends nobody else takes it; a process that
 * dies with it leaves it to the next one. A row that another process is taking at this moment is passed over.
 */
export async function claimMail(db: Db, leaseSeconds: number, from: keyof typeof next): Promise<MailRow | undefined> {
  const { rows } = await db.query<MailRow>({
    name: `claim-mail-${from}`,
    text: `UPDATE mail SET attempts = attempts + 1, due_at = now() + make_interval(secs => $1), recipient = ${addressNow} WHERE id = ${next[from]}
           RETURNING id, kind, recipient, attempts, created_at, extract(epoch FROM now() - created_at)::float8 AS age_seconds, mailing_id IS NOT NULL AS of_mailing, handed_at IS NOT NULL AS was_handed,
             coalesce((SELECT m.facts FROM mailing m WHERE m.id = mail.mailing_id), facts) AS facts,
             coalesce((SELECT a.closed_at IS NOT NULL FROM account a WHERE a.id = mail.account_id), false) AS is_closed`,
    values: [leaseSeconds],
  })
  return rows[0]
}

/** A mail that was taken, as of this attempt: whoever took it again since has another number of it, and what the one before has to say is not heard. */
type Taken = Pick<MailRow, 'id' | 'attempts'>

/** Writes down that the mail server has all of a mail but its last line, without which it takes none. False: somebody else has taken the mail since. */
export async function markHanded(db: Db, { id, attempts }: Taken): Promise<boolean> {
  const text = "UPDATE mail SET handed_at = now() WHERE id = $1 AND attempts = $2 AND state = 'waiting'"
  return (await db.query({ name: 'mark-mail-handed', text, values: [id, attempts] })).rowCount === 1
}

export type MailEnd = 'sent' | 'dropped' | 'failed' | 'unsure'

export async function finishMail(db: Db, { id, attempts }: Taken, state: MailEnd, fault: string | null): Promise<void> {
  const text = 'UPDATE mail SET state = $3, fault = $4, done_at = now() WHERE id = $1 AND attempts = $2'
  await db.query({ name: 'finish-mail', text, values: [id, attempts, state, fault] })
}

export async function retryMail(db: Db, { id, attempts }: Taken, afterSeconds: number, fault: string): Promise<void> {
  await db.query('UPDATE mail SET due_at = now() + make_interval(secs => $3), fault = $4, handed_at = NULL WHERE id = $1 AND attempts = $2', [
    id,
    attempts,
    afterSeconds,
    fault,
  ])
}

/** How many mails of a kind an address was sent within the last hour, and whether one of them within so many seconds. */
export async function countSent(db: Db, recipient: string, kind: MailKind, recentSeconds: number): Promise<{ count: number; isRecent: boolean }> {
  const { rows } = await db.query<{ n: string; is_recent: boolean }>(
    `SELECT count(*) AS n, coalesce(max(done_at) > now() - make_interval(secs => $3), false) AS is_recent
     FROM mail WHERE recipient = $1 AND kind = $2 AND state = 'sent' AND done_at > now() - interval '1 hour'`,
    [recipient, kind, recentSeconds],
  )
  return { count: Number(rows[0]?.n ?? 0), isRecent: rows[0]?.is_recent ?? false }
}

export async function insertOutbox(db: Db, letter: { recipient: string; subject: string; text: string; html: string }): Promise<void> {
  await db.query('INSERT INTO mail_outbox (recipient, subject, body_text, body_html) VALUES ($1, $2, $3, $4)', [
    letter.recipient,
    letter.subject,
    letter.text,
    letter.html,
  ])
}

export type OutboxRow = { id: string; at: Date; recipient: string; subject: string; body_text: string; body_html: string }

export async function readOutbox(db: Db, most: number): Promise<OutboxRow[]> {
  const { rows } = await db.query<OutboxRow>('SELECT id, at, recipient, subject, body_text, body_html FROM mail_outbox ORDER BY id DESC LIMIT $1', [most])
  return rows
}

/** Forgets mails that are done for a month, and letters of the outbox. */
export async function forgetMails(db: Db): Promise<void> {
  await db.query(
    `DELETE FROM mail WHERE id IN (
       SELECT id FROM mail WHERE state <> 'waiting' AND done_at < now() - interval '30 days' LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  )
  await db.query("DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox WHERE at < now() - interval '30 days' FOR UPDATE SKIP LOCKED)")
}
