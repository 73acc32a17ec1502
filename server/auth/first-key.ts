import { scopeNames } from '#server/api/contract/scopes.ts'
import { createFirstKey } from '#server/keys/own-keys.ts'
import type { Asker, AuthContext } from './auth-context.ts'

/** Creates an account's first test key. Returns null if it already has keys. */
export async function makeFirstKey(deps: AuthContext, asker: Asker, accountId: number): Promise<string | null> {
  const made = await createFirstKey(deps.pool, { accountId, isConfirmed: true, address: asker.address }, scopeNames)
  return made?.key ?? null
}
