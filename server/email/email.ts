import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import type { EmailContent, EmailData, EmailKind } from './email-content.ts'
import {
  accountApprovedEmail,
  accountBlockedEmail,
  accountClosedEmail,
  accountDeclinedEmail,
  accountUnblockedEmail,
  type EmailContext,
  emailChangedEmail,
  emailChangeRequestedEmail,
  newSignInEmail,
  passwordChangedEmail,
  providerEmail,
  secondFactorEmail,
} from './templates/account-emails.ts'
import { billingEmail } from './templates/billing-emails.ts'
import { changeEmail, licenceEmail } from './templates/bulk-emails.ts'
import { ticketAnswerEmail, ticketMessageEmail } from './templates/support-emails.ts'
import { teamEmail } from './templates/team-emails.ts'
import { webhookEmail, webhooksRequestedEmail } from './templates/webhook-emails.ts'

/** Enqueues the same email for a few recipients in one statement. Use a bulk email for large audiences. A database trigger sends a job for each email. */
export async function enqueueEmails<Kind extends EmailKind>(db: Db, kind: Kind, recipients: readonly string[], facts: EmailData[Kind]): Promise<void> {
  await db.email.createMany({ data: recipients.map((recipient) => ({ kind, recipient, data: facts as unknown as Prisma.InputJsonObject })) })
}

/** Enqueues an email in the caller's transaction. The worker renders and sends it. */
export const enqueueEmail = <Kind extends EmailKind>(db: Db, kind: Kind, recipient: string, facts: EmailData[Kind]): Promise<void> =>
  enqueueEmails(db, kind, [recipient], facts)

/** Kinds of email that are not rendered from their stored data alone, for example because they need a new token. */
export type LookedUp = 'sign-up' | 'reset' | 'change-email' | 'invitation' | 'market-alert' | StatusKind

/** Kinds of email to subscribers of the status page. */
export type StatusKind = 'status-confirm' | 'status-update'

/** For each kind, a function that renders the email, or returns null if it is no longer needed. */
export type EmailTemplates = {
  readonly [Kind in EmailKind]: (context: EmailContext, facts: EmailData[Kind]) => Promise<EmailContent | null> | EmailContent | null
}

/** Templates of the emails that are rendered from their stored data alone. */
export const plainEmails = {
  'password-changed': passwordChangedEmail,
  'email-change-asked': emailChangeRequestedEmail,
  'email-changed': emailChangedEmail,
  'new-sign-in': newSignInEmail,
  'second-factor-changed': secondFactorEmail,
  'provider-changed': providerEmail,
  'account-closed': accountClosedEmail,
  'account-approved': accountApprovedEmail,
  'account-declined': accountDeclinedEmail,
  'account-blocked': accountBlockedEmail,
  'account-unblocked': accountUnblockedEmail,
  billing: billingEmail,
  webhook: webhookEmail,
  'webhooks-asked': webhooksRequestedEmail,
  'ticket-message': ticketMessageEmail,
  'ticket-answer': ticketAnswerEmail,
  team: teamEmail,
  change: changeEmail,
  licence: licenceEmail,
} as const satisfies Omit<EmailTemplates, LookedUp>

const maxShown = 50

/** Returns the newest 50 emails that were stored in the database because no SMTP server is configured. */
export async function getOutbox(pool: Database) {
  const rows = await pool.emailOutbox.findMany({ orderBy: { id: 'desc' }, take: maxShown })
  return rows.map(({ id, bodyText, bodyHtml, ...row }) => ({ ...row, id: String(id), text: bodyText, html: bodyHtml }))
}

export type OutboxEmail = Awaited<ReturnType<typeof getOutbox>>[number]
