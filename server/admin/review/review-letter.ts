import type { Pool } from 'pg'
import { plainLetters } from '#server/email/mail.ts'
import { setLetter } from '#server/email/set-letter.ts'
import { readFacts } from './account-facts.store.ts'

/** A letter before it is sent. `recipient` is null when it would go to nobody, because the address is not confirmed. */
export type ReviewLetter = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** The letter about the end of a review in the words in which it will be sent. `reason` is null when the account is approved. */
export async function reviewLetter(pool: Pool, publicUrl: string, accountId: number, reason: string | null): Promise<ReviewLetter> {
  const account = await readFacts(pool, accountId)
  const recipient = account?.email_verified_at ? account.email : null
  const context = { publicUrl, recipient: recipient ?? '' }
  const letter = reason === null ? plainLetters['account-approved'](context) : plainLetters['account-declined'](context, { reason })
  const { subject, text } = setLetter(letter, publicUrl)
  return { recipient, subject, text }
}
