import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { noticeLowBalances, readThresholds, writeThresholds } from './notices.store.ts'

/** Thresholds, in credits, for accounts that have not set their own. */
const defaultThresholds = [50, 10, 0] as const
const maxThresholds = 5
const maxThresholdCredits = 1_000_000

/** Returns the balances at which the account gets an email, highest first; empty if it wants none. */
export async function getAlertThresholds({ pool }: BillingDeps, accountId: number): Promise<readonly number[]> {
  return (await readThresholds(pool, accountId)) ?? defaultThresholds
}

type Asker = Pick<AuditEntry, 'address'>

/** @throws FieldsError if a threshold is invalid */
export async function setAlerts({ pool }: BillingDeps, accountId: number, thresholds: readonly number[], asker: Asker): Promise<void> {
  const wanted = [...new Set(thresholds)].toSorted((a, b) => b - a)
  const isInvalid = wanted.some((one) => !Number.isSafeInteger(one) || one < 0 || one > maxThresholdCredits)
  const invalidMessage = `Enter whole numbers of credits from 0 to ${maxThresholdCredits.toLocaleString('en-GB')} separated by spaces, such as 1,000 50.`
  refuseFaults({ thresholds: isInvalid ? invalidMessage : wanted.length > maxThresholds ? `Enter up to ${maxThresholds} balances.` : null })
  await inTransaction(pool, async (client) => {
    const before = { thresholds: (await readThresholds(client, accountId)) ?? defaultThresholds }
    await writeThresholds(client, accountId, wanted)
    await writeAudit(client, { accountId, actor: 'account', action: 'alerts.change', before, after: { thresholds: wanted }, ...asker })
  })
}

/** Compares balances with thresholds and notifies accounts. The comparison is the SQL function `notify_low_balances`. */
export { noticeLowBalances }
