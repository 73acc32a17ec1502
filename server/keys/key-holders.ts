import type { Pool, PoolClient } from 'pg'
import { hashKey } from './key-format.ts'
import { countHolders, readHolder, readKeyHolders } from './key-holders.store.ts'

/** Returns accounts with an active key of any kind and `after` < id <= `upTo`, in id order. They are notified of API changes. */
export async function keyHolders(client: PoolClient, after: number, upTo: number): Promise<{ accountId: number; email: string }[]> {
  return (await readKeyHolders(client, after, upTo)).map(({ id, email }) => ({ accountId: Number(id), email }))
}

/** Counts accounts with an active key. */
export const countKeyHolders = (db: Pool | PoolClient): Promise<number> => countHolders(db)

/**
 * Finds the public id of the account that owns a key, given `key_…` or the key itself, which is hashed before the lookup. Returns null if there is no such key.
 */
export const getHolder = (pool: Pool, text: string): Promise<string | null> =>
  readHolder(pool, text.startsWith('key_') ? { publicId: text } : { hash: hashKey(text) })
