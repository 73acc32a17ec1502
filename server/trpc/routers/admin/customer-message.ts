import { z } from 'zod'

const maxLength = 300

/** What an account is told of a decision about it; it is cut to one line, since it stands in answers and letters. */
export const CustomerMessage = z
  .string()
  .max(maxLength, `What the account is told can have up to ${maxLength} characters.`)
  .transform((text) => text.replace(/\s+/g, ' ').trim())

/** The same where it cannot be left out. */
export const RequiredMessage = CustomerMessage.pipe(z.string().min(1, 'Enter the reason that the account is told.'))
