import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { leaveCookies } from '#server/auth/current-request.ts'
import { makeFirstKey } from '#server/auth/first-key.ts'

/** Creates the first test key of a newly confirmed account and passes it to the welcome page in an encrypted cookie, which expires after ten minutes. */
export async function welcome(deps: AuthContext, asker: Asker, { account, accountId }: { account: string; accountId: number }): Promise<void> {
  const key = await makeFirstKey(deps, asker, accountId)
  if (key !== null) await leaveCookies(await makeCookie(deps, 'welcome', { account, key }))
}
