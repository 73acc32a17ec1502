import type { PoolClient } from 'pg'
import { lockWallets } from './wallets.store.ts'

/**
 * Blocks charges to an account until the transaction ends. It must be the first lock of any transaction that touches several of the account's rows, before the
 * lock on the account. Lock several wallets in one call. API calls of the account wait meanwhile, so do slow work first.
 */
export const holdWallet = (client: PoolClient, accountId: number): Promise<void> => lockWallets(client, [accountId])

/** Locks several wallets, in id order. */
export const holdWallets = lockWallets
