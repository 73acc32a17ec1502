import type { Pool } from 'pg'
import type { UsageSummary } from '../contract/account-summary.ts'
import { addUpUsage, keepLog, readUsage } from './usage.store.ts'

/** @throws when the account has no wallet, which cannot happen to a key that was just admitted. */
export async function usageOf(pool: Pool, accountId: number): Promise<UsageSummary> {
  const row = await readUsage(pool, accountId)
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  return {
    balanceCredits: Number(row.balance),
    asOf: row.as_of.toISOString(),
    requestsToday: Number(row.requests),
    creditsToday: Number(row.credits),
    dayUsed: row.day_used,
  }
}

export { addUpUsage, keepLog }
