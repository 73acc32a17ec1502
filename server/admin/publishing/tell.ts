import { askForMailing } from '#server/email/mailings.ts'
import { countKeyHolders } from '#server/keys/key-holders.ts'
import type { Tell } from '../changelog/publish-change.ts'

/** Has every account with an active key told of an entry of the changelog by mail. Returns how many have one. */
export const tellKeyHolders: Tell = async (client, { id, title, body }) => {
  await askForMailing(client, 'change', id, { entry: id, title, body })
  return countKeyHolders(client)
}
