import type { PoolClient } from 'pg'
import { starterCredits } from '#server/api/contract/plans.ts'
import { insertEntry } from './ledger.store.ts'

/** Credits the starter credits of an account whose email was just confirmed. The database rejects a second time. Returns the balance in credits. */
export async function addStarterCredits(client: PoolClient, accountId: number): Promise<number> {
  const entry = { accountId, kind: 'starter', credits: starterCredits, actor: 'service', reason: 'Starter credits.', reference: null } as const
  const balance = await insertEntry(client, entry)
  if (balance === null) throw new Error(`Account ${accountId} has no wallet.`)
  return balance
}
