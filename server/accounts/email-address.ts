import { AccountError } from './change-account.ts'

/** Rejects the characters that separate, label or quote addresses, so that different spellings of one address can't be used for several accounts. */
const emailForm = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/** Email domain of the service's own accounts, which no one can sign in to. */
const serviceDomain = /[@.]site\.invalid$/

/** Trims and lowercases an email. @throws AccountError if it is not an email address. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!emailForm.test(email) || email.length > 254) throw new AccountError(`"${text.slice(0, 60)}" is not an email address.`)
  return email
}

/** Normalises an email. Returns null if it is invalid or belongs to the service. */
export function readEmail(text: string): string | null {
  try {
    const email = normaliseEmail(text)
    return serviceDomain.test(email) ? null : email
  } catch {
    // The form has its own message for an invalid email.
    return null
  }
}

export function emailFault(text: string): string | null {
  if (text.trim() === '') return 'Enter an email address.'
  return readEmail(text) === null ? 'Enter an email address like name@example.com.' : null
}
