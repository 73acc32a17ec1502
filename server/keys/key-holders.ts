import type { Pool, PoolClient } from 'pg'
import { hashKey } from './key-format.ts'
import { countHolders, readHolder, readKeyHolders } from './key-holders.store.ts'

/** Accounts with an active key of any kind, whom a change of the API concerns: those behind one id up to another, in order, each with its address. */
export async function keyHolders(client: PoolClient, after: number, upTo: number): Promise<{ accountId: number; email: string }[]> {
  return (await readKeyHolders(client, after, upTo)).map(({ id, email }) => ({ accountId: Number(id), email }))
}

/** How many accounts have an active key. */
export const countKeyHolders = (db: Pool | PoolClient): Promise<number> => countHolders(db)

/** Public id of the account that a key is of: `key_…`, or the key itself, which goes no further than its hash. Null: there is no such key. */
export const holderOf = (pool: Pool, text: string): Promise<string | null> =>
  readHolder(pool, text.startsWith('key_') ? { publicId: text } : { hash: hashKey(text) })
