import { z } from 'zod'

const mostLetters = 300

/** What an account is told of a decision about it; it is cut to one line, since it stands in answers and letters. */
export const Told = z
  .string()
  .max(mostLetters, `What the account is told can have up to ${mostLetters} characters.`)
  .transform((text) => text.replace(/\s+/g, ' ').trim())

/** The same where it cannot be left out. */
export const Reason = Told.pipe(z.string().min(1, 'Enter the reason that the account is told.'))
