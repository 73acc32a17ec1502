import { enqueueBulkEmail } from '#server/email/bulk-emails.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import type { Tell } from '../changelog/changelog.ts'

/** Emails every account with an active key about a changelog entry. Returns the number of those accounts. */
export const notifyKeyHolders: Tell = async (client, { id, title, body }) => {
  await enqueueBulkEmail(client, 'change', id, { entry: id, title, body })
  return countKeyHolders(client)
}
