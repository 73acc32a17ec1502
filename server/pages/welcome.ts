import type { Asker, AuthRoom } from '#server/auth/auth-room.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { leaveCookies } from '#server/auth/current-request.ts'
import { makeFirstKey } from '#server/auth/first-key.ts'

/** Makes the first test key of an account that was just confirmed, and hands it to the page that shows it once: in a sealed cookie, for ten minutes. */
export async function welcome(room: AuthRoom, asker: Asker, { account, accountId }: { account: string; accountId: number }): Promise<void> {
  const key = await makeFirstKey(room, asker, accountId)
  if (key !== null) await leaveCookies(await makeCookie(room, 'welcome', { account, key }))
}
