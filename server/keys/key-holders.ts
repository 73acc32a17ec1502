import type { Pool, PoolClient } from 'pg'
import { hashKey } from './key-format.ts'
import { readHolder, readKeyHolders } from './key-holders.store.ts'

/** Addresses of the accounts with an active key of any kind, each once: whom a change of the API concerns. */
export const keyHolders = (client: PoolClient): Promise<string[]> => readKeyHolders(client)

/** Public id of the account that a key is of: `key_…`, or the key itself, which goes no further than its hash. Null: there is no such key. */
export const holderOf = (pool: Pool, text: string): Promise<string | null> =>
  readHolder(pool, text.startsWith('key_') ? { publicId: text } : { hash: hashKey(text) })
