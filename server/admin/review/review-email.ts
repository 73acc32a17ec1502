import type { Pool } from 'pg'
import { plainEmails } from '#server/email/email.ts'
import { renderContent } from '#server/email/render-content.ts'
import { readAdminAccount } from './admin-account.store.ts'

/** Preview of an email. `recipient` is null if the account's email isn't confirmed; nothing is sent then. */
export type ReviewEmail = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** Renders the email about the outcome of a review. `reason` is null for an approval. */
export async function renderReviewEmail(pool: Pool, publicUrl: string, accountId: number, reason: string | null): Promise<ReviewEmail> {
  const account = await readAdminAccount(pool, accountId)
  const recipient = account?.email_verified_at ? account.email : null
  const context = { publicUrl, recipient: recipient ?? '' }
  const message = reason === null ? plainEmails['account-approved'](context) : plainEmails['account-declined'](context, { reason })
  const { subject, text } = renderContent(message, publicUrl)
  return { recipient, subject, text }
}
