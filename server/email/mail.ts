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

/** Enqueues an email in the caller's transaction. The worker renders and sends it. */
export async function askForMail<Kind extends MailKind>(db: Pool | PoolClient, kind: Kind, recipient: string, facts: MailFacts[Kind]): Promise<void> {
  await insertMail(db, kind, recipient, facts)
}

/** Enqueues the same email for a few recipients in one statement. Use a bulk email for large audiences. */
export async function askForMails<Kind extends MailKind>(db: PoolClient, kind: Kind, recipients: readonly string[], facts: MailFacts[Kind]): Promise<void> {
  await insertMails(db, kind, recipients, facts)
}

/** Kinds that need a look-up, such as a token, when they are rendered. */
export type LookedUp = 'sign-up' | 'reset' | 'change-email'

/** Renderer for each kind; returns null if there is nothing left to send. */
export type LetterWriters = { readonly [Kind in MailKind]: (context: LetterContext, facts: MailFacts[Kind]) => Promise<Letter | null> | Letter | null }

/** Emails rendered from their facts alone. */
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

const maxShown = 50

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

/** Newest emails of a service without an SMTP server. */
export async function getOutbox(pool: Pool): Promise<OutboxLetter[]> {
  return (await readOutbox(pool, maxShown)).map(fromDb)
}
