import type { Pool, PoolClient } from 'pg'
import { hashKey } from './key-format.ts'
import { endKey } from './keys.store.ts'
import { isKeptHash, readIdsNamed } from './known-keys.store.ts'

/** Returns true if this service issued the key, revoked or not. */
export const isKnownKey = (client: Pool | PoolClient, key: string): Promise<boolean> => isKeptHash(client, hashKey(key))

/** Revokes an account's keys with this name. Returns their number. */
export async function revokeNamed(client: Pool | PoolClient, accountId: number, name: string): Promise<number> {
  const ids = await readIdsNamed(client, accountId, name)
  for (const id of ids) await endKey(client, id, null)
  return ids.length
}
