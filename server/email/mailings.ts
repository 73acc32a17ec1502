import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import type { MailFacts, MailingKind } from './mail-kinds.ts'
import { endMailings, holdMailing, insertMailing, insertMailsOf, type Recipient, readMailings, writePlace } from './mailings.store.ts'

/**
 * Asks for the same mail to many, in the transaction of what it tells about: one row, however many there are. `about` names what it tells of, and there is one
 * mailing for each. A job makes the mails, and the worker writes and sends them.
 */
export async function askForMailing<Kind extends MailingKind>(client: PoolClient, kind: Kind, about: string, facts: MailFacts[Kind]): Promise<void> {
  await insertMailing(client, kind, about, facts)
}

/** Whom mailings go to: those among the accounts behind one id up to another, in order. */
export type Audience = (client: PoolClient, after: number, upTo: number) => Promise<readonly Recipient[]>

/** Accounts that are looked at in one transaction. */
const accountsAtOnce = 2_000

async function makeSome(client: PoolClient, audience: Audience): Promise<boolean> {
  const mailing = await holdMailing(client)
  if (!mailing) return false
  const upTo = Math.min(mailing.last, mailing.after + accountsAtOnce)
  const recipients = await audience(client, mailing.after, upTo)
  if (recipients.length > 0) await insertMailsOf(client, mailing, recipients)
  await writePlace(client, mailing.id, upTo)
  return true
}

/**
 * Makes the mails of all mailings, until there is no more to make. Some mails and the place behind them are written together: a process that dies makes none
 * twice and leaves none out, and several at once make each once. Those of which nothing waits any more are ended.
 */
export async function makeMails(pool: Pool, audience: Audience, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await inTransaction(pool, (client) => makeSome(client, audience))));
  if (!signal.aborted) await endMailings(pool)
}

/** How far a mailing has come. */
export type MailingProgress = {
  /** Whether all of its mails are made; until then there are more to come. */
  readonly isMade: boolean
  readonly waiting: number
  readonly sent: number
  /** The mail server did not take them. */
  readonly failed: number
  /** The connection or the process ended as the mail server was taking them: they may have been sent, and are not sent again. */
  readonly unsure: number
}

/** The mailings about these things, by what they are about. */
export async function mailingsOf(pool: Pool, kind: MailingKind, abouts: readonly string[]): Promise<ReadonlyMap<string, MailingProgress>> {
  const rows = await readMailings(pool, kind, abouts)
  return new Map(rows.map(({ about, done_at, ...counts }) => [about, { isMade: done_at !== null, ...counts }]))
}
