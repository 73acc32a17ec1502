import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { endMailings, insertBulkMails, insertMailing, lockMailing, type Recipient, readMailings, writeProgress } from './bulk-emails.store.ts'
import type { EmailData, MailingKind } from './email-content.ts'

/**
 * Enqueues a bulk email in the caller's transaction, as one row regardless of the audience size. `about` identifies its subject; each subject gets one bulk
 * email. A job queues the messages, and the worker renders and sends them.
 */
export async function enqueueBulkEmail<Kind extends MailingKind>(client: Transaction, kind: Kind, about: string, facts: EmailData[Kind]): Promise<void> {
  await insertMailing(client, kind, about, facts)
}

/** Selects the recipients among accounts with `after` < id <= `upTo`, in id order. */
export type Audience = (client: Transaction, after: number, upTo: number) => Promise<readonly Recipient[]>

/** Number of accounts processed in one transaction. */
const accountsPerBatch = 2_000

async function queueBatch(client: Transaction, audience: Audience): Promise<boolean> {
  const mailing = await lockMailing(client)
  if (!mailing) return false
  const upTo = Math.min(mailing.last, mailing.after + accountsPerBatch)
  const recipients = await audience(client, mailing.after, upTo)
  if (recipients.length > 0) await insertBulkMails(client, mailing, recipients)
  await writeProgress(client, mailing.id, upTo)
  return true
}

/**
 * Queues the messages of all pending bulk emails. Messages and progress are committed together, so a crash neither repeats nor skips a message, and several
 * processes can run this concurrently. Then finishes the bulk emails with nothing left to send.
 */
export async function makeMails(pool: Database, audience: Audience, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await inTransaction(pool, (client) => queueBatch(client, audience))));
  if (!signal.aborted) await endMailings(pool)
}

/** Progress of a bulk email, as numbers of messages. */
export type MailingProgress = {
  /** True if all messages are queued; until then, the counts grow. */
  readonly isMade: boolean
  readonly waiting: number
  readonly sent: number
  /** Number of messages that the mail server rejected, or that were given up after all attempts. */
  readonly failed: number
  /** Number of messages that may have been sent: the connection or process ended before the mail server confirmed them. They are not retried. */
  readonly unsure: number
}

/** Returns the progress of the bulk emails of a kind about these subjects, by subject. */
export async function getMailings(pool: Database, kind: MailingKind, abouts: readonly string[]): Promise<ReadonlyMap<string, MailingProgress>> {
  const rows = await readMailings(pool, kind, abouts)
  return new Map(rows.map(({ about, done_at, ...counts }) => [about, { isMade: done_at !== null, ...counts }]))
}
