import type { Pool } from 'pg'
import { type CheckRow, readChecks } from './checks.store.ts'

/** Result of a ledger check: last run and number of differences; `failedAt` is set while the check can't run. */
export type LedgerCheck = Readonly<CheckRow>

export async function getLedgerChecks(pool: Pool): Promise<readonly LedgerCheck[]> {
  return readChecks(pool)
}
