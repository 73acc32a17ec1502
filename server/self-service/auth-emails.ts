import type { AuthContext } from '#server/auth/auth-context.ts'
import { readCandidates, readCredentials } from '#server/auth/credentials.ts'
import { type EmailTemplates, type LookedUp, plainEmails, type StatusKind } from '#server/email/email.ts'
import { changeEmailEmail, confirmEmail, knownEmail, resetEmail } from '#server/email/templates/account-emails.ts'
import { invitationEmail } from '#server/email/templates/team-emails.ts'
import { statusEmails } from '#server/status/status-emails.ts'
import { issueInvitation } from './invitations.ts'
import { issueToken } from './tokens.ts'

type Db = Pick<AuthContext, 'pool'>

/**
 * Templates for emails that depend on which account, if any, owns the address. Known and unknown addresses are distinguished only here, in the worker, so only
 * the owner of the mailbox sees the difference. Tokens are created when an email is rendered and never stored in a queue.
 */
const lookUpWriters = (db: Db): Pick<EmailTemplates, Exclude<LookedUp, StatusKind | 'market-alert'>> => ({
  'sign-up': async (context, { accountId }) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    const account = await readCredentials(db.pool, accountId)
    if (confirmed) return confirmed.id === accountId ? null : knownEmail(context)
    if (!account || account.email !== context.recipient || account.emailVerifiedAt !== null) return null
    return confirmEmail(context, await issueToken(db.pool, { accountId, purpose: 'confirm', email: context.recipient }))
  },
  reset: async (context) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    return confirmed ? resetEmail(context, await issueToken(db.pool, { accountId: confirmed.id, purpose: 'reset', email: context.recipient })) : null
  },
  invitation: async (context, { invitation }) => {
    const issued = await issueInvitation(db.pool, invitation)
    return issued && invitationEmail(context, issued)
  },
  'change-email': async (context, { accountId, version }) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    const account = await readCredentials(db.pool, accountId)
    // Emails can wait in the queue for a long time. The requester may have been signed out since.
    if (account?.sessionVersion !== version) return null
    return confirmed
      ? knownEmail(context)
      : changeEmailEmail(context, await issueToken(db.pool, { accountId, purpose: 'change', email: context.recipient, sessionVersion: version }))
  },
})

/** Renderers for all kinds of email except market alerts. */
export const emailTemplates = (db: Db): Omit<EmailTemplates, 'market-alert'> => ({ ...plainEmails, ...lookUpWriters(db), ...statusEmails(db) })
