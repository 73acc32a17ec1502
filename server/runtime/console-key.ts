import type { Pool } from 'pg'
import { serviceAccount } from '#server/accounts/accounts.ts'
import type { OwnKeysOfConsole } from '#server/api/http/site-console.ts'
import { ownKeyHash, ownKeys } from '#server/keys/own-keys.ts'
import { keepServiceKey, serviceKey } from '#server/keys/service-key.ts'

/** The account that calls of the console are made for. Nobody can sign in to it: it has no password and an address that cannot exist. */
const email = 'console@site.invalid'
const name = 'Console of the site'

/** Requests a minute of all visitors together; each of them is held to far fewer. */
const perMinute = 6_000

/** The test key of the console, written with the first wish for it. A wish that failed is not kept: the next one tries again. */
export function consoleKey(pool: Pool, secret: string): () => Promise<string> {
  let kept: Promise<string> | null = null
  const write = async () => {
    const key = serviceKey(secret, 'console')
    await keepServiceKey(pool, key, { accountId: await serviceAccount(pool, email), name, perMinute })
    return key
  }
  return () => {
    kept ??= write().catch((error: unknown) => {
      kept = null
      throw error
    })
    return kept
  }
}

/** The keys of accounts, as far as the console has to know them. */
export const keysForConsole = (pool: Pool): OwnKeysOfConsole => ({
  workingOf: async (accountId) => {
    const keys = await ownKeys(pool, accountId)
    return keys.filter(({ state }) => state === 'active' || state === 'ending').map(({ id, mode, name: given, hint }) => ({ id, mode, name: given, hint }))
  },
  find: (accountId, id) => ownKeyHash(pool, accountId, id),
})
