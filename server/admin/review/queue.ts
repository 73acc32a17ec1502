import { accountRecipients } from '#server/accounts/recipients.ts'
import { getAccountState } from '#server/api/contract/account-state.ts'
import type { Database } from '#server/db/prisma.ts'
import { plainEmails } from '#server/email/email.ts'
import { type EmailContent, renderPreview } from '#server/email/email-content.ts'
import type { EmailContext } from '#server/email/templates/account-emails.ts'
import { type Candidate, findCandidateById, findCandidates, findSimilar } from './review.sql.ts'

/** Maximum number of similar accounts to count. */
export const maxOthers = 100
const pageSize = 25
const maxSimilar = 10

/** Returns one page of 25 accounts awaiting review, longest wait first. `next` is the id to pass as `after` for the next page, or null. */
export async function reviewQueue(db: Database, after: string | null): Promise<{ candidates: Candidate[]; next: string | null }> {
  const rows = await findCandidates(db, after, { counted: maxOthers, rows: pageSize + 1 })
  const candidates = rows.slice(0, pageSize)
  return { candidates, next: rows.length > pageSize ? (candidates.at(-1)?.id ?? null) : null }
}

/**
 * Returns an account awaiting review, with the ten newest accounts that signed up from the same IP address and the ten newest with the same email domain. Null
 * if the account isn't awaiting review.
 */
export async function findCandidate(db: Database, accountId: number) {
  const candidate = await findCandidateById(db, accountId, maxOthers)
  if (!candidate) return null
  const similar = (await findSimilar(db, accountId, maxSimilar)).map((one) => ({ ...one, standing: getAccountState(one) }))
  return { ...candidate, similar }
}

/** Preview of an email. `recipient` is null if the account's email isn't confirmed; in that case, nothing is sent. */
export type ReviewEmail = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** Renders an email to the owner of an account. */
async function renderEmail(db: Database, publicUrl: string, accountId: number, render: (context: EmailContext) => EmailContent): Promise<ReviewEmail> {
  const account = await db.account.findUnique({ where: { id: accountId }, select: { emailVerifiedAt: true } })
  const [recipient = null] = account?.emailVerifiedAt ? await accountRecipients(db, accountId, 'account') : []
  return { recipient, ...renderPreview(render({ publicUrl, recipient: recipient ?? '' }), publicUrl) }
}

/** Renders the email about the outcome of a review. `reason` is null for an approval. */
export const renderReviewEmail = (db: Database, publicUrl: string, accountId: number, reason: string | null): Promise<ReviewEmail> =>
  renderEmail(db, publicUrl, accountId, (context) =>
    reason === null ? plainEmails['account-approved'](context) : plainEmails['account-declined'](context, { reason }),
  )

/** Renders the email about a block. `reason` is null if the customer is shown none. */
export const renderBlockEmail = (db: Database, publicUrl: string, accountId: number, reason: string | null): Promise<ReviewEmail> =>
  renderEmail(db, publicUrl, accountId, (context) => plainEmails['account-blocked'](context, { reason }))
