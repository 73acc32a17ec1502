import type { Pool, PoolClient } from 'pg'
import type { MailingKind } from './mail-kinds.ts'

export async function insertMailing(client: PoolClient, kind: MailingKind, about: string, facts: object): Promise<void> {
  await client.query('INSERT INTO mailing (kind, about, facts, last_account_id) SELECT $1, $2, $3, coalesce(max(id), 0) FROM account', [
    kind,
    about,
    JSON.stringify(facts),
  ])
}

export type MailingRow = { id: string; kind: MailingKind; after: number; last: number }

/** The oldest mailing whose mails are not all made, held until the transaction ends. One that another process holds is passed over. */
export async function holdMailing(client: PoolClient): Promise<MailingRow | undefined> {
  const { rows } = await client.query<MailingRow>(
    `SELECT id, kind, after_account_id::int8 AS after, last_account_id::int8 AS last FROM mailing WHERE done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  )
  return rows.map(({ after, last, ...row }) => ({ ...row, after: Number(after), last: Number(last) }))[0]
}

/** An account that a mailing goes to. */
export type Recipient = { readonly accountId: number; readonly email: string }

/** Makes the mails for some accounts. One that has a mail of this mailing gets no other. */
export async function insertMailsOf(client: PoolClient, { id, kind }: MailingRow, recipients: readonly Recipient[]): Promise<void> {
  await client.query(
    `INSERT INTO mail (kind, recipient, mailing_id, account_id) SELECT $2, t.email, $1, t.account_id FROM unnest($3::bigint[], $4::text[]) AS t (account_id, email)
     ON CONFLICT DO NOTHING`,
    [id, kind, recipients.map(({ accountId }) => accountId), recipients.map(({ email }) => email)],
  )
}

/** Writes down up to which account the mails are made. Behind the last one it is done. */
export async function writePlace(client: PoolClient, id: string, after: number): Promise<void> {
  await client.query('UPDATE mailing SET after_account_id = $2, done_at = CASE WHEN $2 >= last_account_id THEN now() END WHERE id = $1', [id, after])
}

export type ProgressRow = { about: string; done_at: Date | null; waiting: number; sent: number; failed: number; unsure: number }

/** What became of the mails of a mailing, or has by now. */
const counted = `(SELECT count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE state = 'sent')::int AS sent,
    count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE state = 'unsure')::int AS unsure FROM mail WHERE mailing_id = m.id)`

/** Writes down what became of mailings whose mails are all made and none of which waits: their mails are not counted again, and are forgotten after a month. */
export async function endMailings(pool: Pool): Promise<void> {
  await pool.query(
    // First which are over: the mails of the others are many, and this is asked every second.
    `WITH m AS MATERIALIZED (
       SELECT id FROM mailing WHERE ended_at IS NULL AND done_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM mail l WHERE l.mailing_id = mailing.id AND l.state = 'waiting') FOR NO KEY UPDATE SKIP LOCKED)
     UPDATE mailing SET sent = c.sent, failed = c.failed, unsure = c.unsure, ended_at = now() FROM m, LATERAL ${counted} c
     WHERE m.id = mailing.id AND mailing.ended_at IS NULL`,
  )
}

/** How far mailings have come. Only the mails of those that are under way are counted. */
export async function readMailings(pool: Pool, kind: MailingKind, abouts: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await pool.query<ProgressRow>(
    `SELECT m.about, m.done_at, 0 AS waiting, m.sent, m.failed, m.unsure FROM mailing m WHERE m.kind = $1 AND m.about = ANY ($2) AND m.ended_at IS NOT NULL
     UNION ALL
     SELECT m.about, m.done_at, c.waiting, c.sent, c.failed, c.unsure FROM mailing m, LATERAL ${counted} c
     WHERE m.kind = $1 AND m.about = ANY ($2) AND m.ended_at IS NULL`,
    [kind, abouts],
  )
  return rows
}
