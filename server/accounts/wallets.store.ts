import type { PoolClient } from 'pg'

/** Locks wallets until the transaction ends, in the same order as charges do. */
export async function lockWallets(client: PoolClient, accountIds: readonly number[]): Promise<void> {
  await client.query('SELECT FROM wallet WHERE account_id = ANY ($1) ORDER BY account_id FOR NO KEY UPDATE', [accountIds])
}
