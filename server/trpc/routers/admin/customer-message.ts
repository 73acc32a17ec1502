import { z } from 'zod'

const maxLength = 300

/** Message to the customer about a decision. Collapsed to one line, because it is shown in API errors and emails. */
export const CustomerMessage = z
  .string()
  .max(maxLength, `The reason can have up to ${maxLength} characters.`)
  .transform((text) => text.replace(/\s+/g, ' ').trim())

/** Required message to the customer. */
export const RequiredMessage = CustomerMessage.pipe(z.string().min(1, 'Enter a reason to show to the customer.'))
