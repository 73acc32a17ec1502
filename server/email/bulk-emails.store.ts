import type { Database, Transaction } from '#server/db/prisma.ts'
import type { MailingKind } from './email-content.ts'

export async function insertMailing(client: Transaction, kind: MailingKind, about: string, facts: object): Promise<void> {
  await client.query('INSERT INTO bulk_email (kind, about, data, last_account_id) SELECT $1, $2, $3, coalesce(max(id), 0) FROM account', [
    kind,
    about,
    JSON.stringify(facts),
  ])
}

export type MailingRow = { id: string; kind: MailingKind; after: number; last: number }

/** Locks the oldest bulk email whose messages are not all queued, until the transaction ends. Skips one locked by another process. */
export async function lockMailing(client: Transaction): Promise<MailingRow | undefined> {
  const { rows } = await client.query<MailingRow>(
    `SELECT id, kind, after_account_id AS after, last_account_id AS last FROM bulk_email WHERE done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  )
  return rows.map(({ after, last, ...row }) => ({ ...row, after: Number(after), last: Number(last) }))[0]
}

/** Account that receives a bulk email. */
export type Recipient = { readonly accountId: number; readonly email: string }

/** Queues a bulk email for some accounts. Accounts that already have one are skipped. */
export async function insertBulkMails(client: Transaction, { id, kind }: MailingRow, recipients: readonly Recipient[]): Promise<void> {
  await client.query(
    `INSERT INTO email (kind, recipient, bulk_email_id, account_id) SELECT $2, t.email, $1, t.account_id FROM unnest($3::int[], $4::text[]) AS t (account_id, email)
     ON CONFLICT DO NOTHING`,
    [id, kind, recipients.map(({ accountId }) => accountId), recipients.map(({ email }) => email)],
  )
}

/** Records the last account queued so far. Marks the bulk email as fully queued if no account is left. */
export async function writeProgress(client: Transaction, id: string, after: number): Promise<void> {
  await client.query('UPDATE bulk_email SET after_account_id = $2, done_at = CASE WHEN $2 >= last_account_id THEN now() END WHERE id = $1', [id, after])
}

export type ProgressRow = { about: string; done_at: Date | null; waiting: number; sent: number; failed: number; unsure: number }

/** Counts of a bulk email's messages by state. */
const counted = `(SELECT count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE state = 'sent')::int AS sent,
    count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE state = 'unsure')::int AS unsure FROM email WHERE bulk_email_id = m.id)`

/** Stores the final counts of bulk emails with no messages left to queue or send. Their messages then need no recount and can be deleted after a month. */
export async function endMailings(pool: Database): Promise<void> {
  await pool.query(
    // Finds the finished bulk emails first: the others have many messages, and this query runs every second.
    `WITH m AS MATERIALIZED (
       SELECT id FROM bulk_email WHERE ended_at IS NULL AND done_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM email l WHERE l.bulk_email_id = bulk_email.id AND l.state = 'waiting') FOR NO KEY UPDATE SKIP LOCKED)
     UPDATE bulk_email SET sent = c.sent, failed = c.failed, unsure = c.unsure, ended_at = now() FROM m, LATERAL ${counted} c
     WHERE m.id = bulk_email.id AND bulk_email.ended_at IS NULL`,
  )
}

/** Progress of bulk emails. Messages are counted only while a bulk email is in progress. */
export async function readMailings(pool: Database, kind: MailingKind, abouts: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await pool.query<ProgressRow>(
    `SELECT m.about, m.done_at, 0 AS waiting, m.sent, m.failed, m.unsure FROM bulk_email m WHERE m.kind = $1 AND m.about = ANY ($2) AND m.ended_at IS NOT NULL
     UNION ALL
     SELECT m.about, m.done_at, c.waiting, c.sent, c.failed, c.unsure FROM bulk_email m, LATERAL ${counted} c
     WHERE m.kind = $1 AND m.about = ANY ($2) AND m.ended_at IS NULL`,
    [kind, abouts],
  )
  return rows
}
