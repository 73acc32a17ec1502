import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { noticeLowBalances, readThresholds, writeThresholds } from './alerts.store.ts'
import type { BillingRoom } from './billing-room.ts'

/** What an account is told at until it chooses for itself. */
const defaultThresholds = [50, 10, 0] as const
const mostThresholds = 5
const highestThreshold = 1_000_000

/** Balances at which an account is told by email, falling; empty: it wants to hear nothing. */
export async function alertsOf({ pool }: BillingRoom, accountId: number): Promise<readonly number[]> {
  return (await readThresholds(pool, accountId)) ?? defaultThresholds
}

type Asker = Pick<AuditEntry, 'address'>

/** @throws FieldsError when a threshold cannot be used. */
export async function setAlerts({ pool }: BillingRoom, accountId: number, thresholds: readonly number[], asker: Asker): Promise<void> {
  const wanted = [...new Set(thresholds)].toSorted((a, b) => b - a)
  const isUnusable = wanted.some((one) => !Number.isSafeInteger(one) || one < 0 || one > highestThreshold)
  const unusable = `Enter whole numbers of credits from 0 to ${highestThreshold.toLocaleString('en-GB')} with a space between them, such as 1,000, 50.`
  refuseFaults({ thresholds: isUnusable ? unusable : wanted.length > mostThresholds ? `Choose at most ${mostThresholds} balances.` : null })
  await inTransaction(pool, async (client) => {
    const before = { thresholds: (await readThresholds(client, accountId)) ?? defaultThresholds }
    await writeThresholds(client, accountId, wanted)
    await writeAudit(client, { accountId, actor: 'account', action: 'alerts.change', before, after: { thresholds: wanted }, ...asker })
  })
}

export { noticeLowBalances }
