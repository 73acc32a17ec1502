import { serviceAccount } from '#server/accounts/accounts.ts'
import type { OwnKeysOfConsole } from '#server/api/http/site-console.ts'
import type { Database } from '#server/db/prisma.ts'
import { keepServiceKey, serviceKey } from '#server/keys/keys.ts'
import { ownKeyHash } from '#server/keys/own-keys.ts'

/** Email of the account that owns console calls. Nobody can sign in to the account: it has no password, and its address cannot exist. */
const email = 'console@site.invalid'
const name = 'Console of the site'

/** Rate limit shared by all unauthenticated callers, in requests per minute. Each caller's own limit is far lower. */
const perMinute = 6_000

/** Returns a function that returns the console's test key, creating it on first use. A failure is not cached: the next call tries again. */
export function consoleKey(pool: Database, secret: string): () => Promise<string> {
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

/** Looks up an account's own keys for the console. */
export const keysForConsole = (pool: Database): OwnKeysOfConsole => ({
  find: (accountId, id) => ownKeyHash(pool, accountId, id),
})
