import type { Pool, PoolClient } from 'pg'
import type { Letter } from './letter.ts'
import {
  accountApprovedLetter,
  accountClosedLetter,
  accountDeclinedLetter,
  emailChangeAskedLetter,
  emailChangedLetter,
  type LetterContext,
  newSignInLetter,
  passwordChangedLetter,
  providerLetter,
  secondFactorLetter,
} from './letters/account-letters.ts'
import { billingLetter } from './letters/billing-letters.ts'
import { changeLetter, licenceLetter } from './letters/mailing-letters.ts'
import { webhookLetter, webhooksAskedLetter } from './letters/webhook-letters.ts'
import { insertMail, insertMails, type OutboxRow, readOutbox } from './mail.store.ts'
import type { MailFacts, MailKind } from './mail-kinds.ts'

/** Asks for a mail, in the transaction of what it tells about. The worker writes and sends it. */
export async function askForMail<Kind extends MailKind>(db: Pool | PoolClient, kind: Kind, recipient: string, facts: MailFacts[Kind]): Promise<void> {
  await insertMail(db, kind, recipient, facts)
}

/** Asks for the same mail to each of a few, in one statement. What goes to many is a mailing. */
export async function askForMails<Kind extends MailKind>(db: PoolClient, kind: Kind, recipients: readonly string[], facts: MailFacts[Kind]): Promise<void> {
  await insertMails(db, kind, recipients, facts)
}

/** Kinds whose letter has to be looked up as it is written, such as one with a token. */
export type LookedUp = 'sign-up' | 'reset' | 'change-email'

/** Writes the letter of a mail; null when there is nothing to say after all. */
export type LetterWriters = { readonly [Kind in MailKind]: (context: LetterContext, facts: MailFacts[Kind]) => Promise<Letter | null> | Letter | null }

/** Letters that need nothing but their facts. */
export const plainLetters = {
  'password-changed': passwordChangedLetter,
  'email-change-asked': emailChangeAskedLetter,
  'email-changed': emailChangedLetter,
  'new-sign-in': newSignInLetter,
  'second-factor-changed': secondFactorLetter,
  'provider-changed': providerLetter,
  'account-closed': accountClosedLetter,
  'account-approved': accountApprovedLetter,
  'account-declined': accountDeclinedLetter,
  billing: billingLetter,
  webhook: webhookLetter,
  'webhooks-asked': webhooksAskedLetter,
  change: changeLetter,
  licence: licenceLetter,
} as const satisfies Omit<LetterWriters, LookedUp>

const mostShown = 50

export type OutboxLetter = {
  readonly id: string
  readonly at: Date
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const fromDb = (row: OutboxRow): OutboxLetter => ({
  id: row.id,
  at: row.at,
  recipient: row.recipient,
  subject: row.subject,
  text: row.body_text,
  html: row.body_html,
})

/** The newest letters of a service without a mail server. */
export async function outboxOf(pool: Pool): Promise<OutboxLetter[]> {
  return (await readOutbox(pool, mostShown)).map(fromDb)
}
