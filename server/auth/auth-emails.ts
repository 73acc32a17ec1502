import { type EmailTemplates, type LookedUp, plainEmails } from '#server/email/email.ts'
import { changeEmailEmail, confirmEmail, knownEmail, resetEmail } from '#server/email/templates/account-emails.ts'
import type { AuthContext } from './auth-context.ts'
import { readCandidates, readCredentials } from './credentials.store.ts'
import { hashToken, newToken } from './encryption.ts'
import { insertToken, type TokenPurpose } from './tokens.store.ts'

const linkLifetimeSeconds = 30 * 60

type Db = Pick<AuthContext, 'pool'>

async function issueToken({ pool }: Db, accountId: number, purpose: TokenPurpose, email: string, sessionVersion: number | null = null): Promise<string> {
  const token = newToken()
  await insertToken(pool, { hash: hashToken(token), accountId, purpose, email, lifetimeSeconds: linkLifetimeSeconds, sessionVersion })
  return token
}

/**
 * Emails that depend on who owns the address. Known and unknown addresses are distinguished only here, in the worker, so only the owner of the mailbox sees the
 * difference. Tokens are created when an email is rendered and never stored in a queue.
 */
const lookUpWriters = (db: Db): Pick<EmailTemplates, LookedUp> => ({
  'sign-up': async (context, { accountId }) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    const account = await readCredentials(db.pool, accountId)
    if (confirmed) return Number(confirmed.id) === accountId ? null : knownEmail(context)
    if (!account || account.email !== context.recipient || account.email_verified_at !== null) return null
    return confirmEmail(context, await issueToken(db, accountId, 'confirm', context.recipient))
  },
  reset: async (context) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    return confirmed ? resetEmail(context, await issueToken(db, Number(confirmed.id), 'reset', context.recipient)) : null
  },
  'change-email': async (context, { accountId, version }) => {
    const { confirmed } = await readCandidates(db.pool, context.recipient)
    const account = await readCredentials(db.pool, accountId)
    // Emails can wait in the queue for a long time. The requester may have been signed out since.
    if (account?.session_version !== version) return null
    return confirmed ? knownEmail(context) : changeEmailEmail(context, await issueToken(db, accountId, 'change', context.recipient, version))
  },
})

/** Renderers for all kinds of email. */
export const emailTemplates = (db: Db): EmailTemplates => ({ ...plainEmails, ...lookUpWriters(db) })
