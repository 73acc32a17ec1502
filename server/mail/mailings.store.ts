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

/** How far mailings have come. Mails are forgotten a month after they were sent. */
export async function readMailings(pool: Pool, kind: MailingKind, abouts: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await pool.query<ProgressRow>(
    `SELECT m.about, m.done_at, count(*) FILTER (WHERE l.state = 'waiting')::int AS waiting, count(*) FILTER (WHERE l.state = 'sent')::int AS sent,
       count(*) FILTER (WHERE l.state = 'failed')::int AS failed, count(*) FILTER (WHERE l.state = 'unsure')::int AS unsure
     FROM mailing m LEFT JOIN mail l ON l.mailing_id = m.id WHERE m.kind = $1 AND m.about = ANY ($2) GROUP BY m.id`,
    [kind, abouts],
  )
  return rows
}
