import type { PoolClient } from 'pg'
import { lockWallets } from './wallets.store.ts'

/**
 * Keeps charges of an account from happening until the transaction ends: the first lock of everything that touches several of its rows, before that on the
 * account. Whoever needs the wallets of several accounts asks for all of them at once. A call of such an account waits, so what is slow is done before.
 */
export const holdWallet = (client: PoolClient, accountId: number): Promise<void> => lockWallets(client, [accountId])

/** The same for the wallets of several accounts. */
export const holdWallets = lockWallets
