import { normaliseEmail } from '#server/accounts/accounts.ts'

/** Email domain of the service's own accounts, which no one can sign in to. */
const serviceDomain = /[@.]site\.invalid$/

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
