import type { Pool, PoolClient } from 'pg'
import { countHolders, readKeyHolders } from './key-holders.store.ts'

/** Accounts with an active key of any kind, whom a change of the API concerns: those behind one id up to another, in order, each with its address. */
export async function keyHolders(client: PoolClient, after: number, upTo: number): Promise<{ accountId: number; email: string }[]> {
  return (await readKeyHolders(client, after, upTo)).map(({ id, email }) => ({ accountId: Number(id), email }))
}

/** How many accounts have an active key. */
export const countKeyHolders = (db: Pool | PoolClient): Promise<number> => countHolders(db)
