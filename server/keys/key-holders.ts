import type { PoolClient } from 'pg'
import { readKeyHolders } from './key-holders.store.ts'

/** Addresses of the accounts with an active key of any kind, each once: whom a change of the API concerns. */
export const keyHolders = (client: PoolClient): Promise<string[]> => readKeyHolders(client)
