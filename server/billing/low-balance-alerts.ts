import { type MemberOrigin, writeAudit } from '#server/accounts/audit.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { checkLowBalances } from './claims.sql.ts'

/** Thresholds, in credits, for accounts that have not set their own. */
const defaultThresholds = [50, 10, 0] as const
const maxThresholds = 5
const maxThresholdCredits = 1_000_000

/** Returns the balances at which the account gets an email, highest first; empty if alerts are off. */
export async function getAlertThresholds(db: Db, accountId: number): Promise<readonly number[]> {
  return (await db.balanceAlert.findUnique({ where: { accountId }, select: { thresholds: true } }))?.thresholds ?? defaultThresholds
}

/** @throws FieldsError if a threshold is invalid */
export async function setAlerts({ pool: db }: BillingDeps, accountId: number, thresholds: readonly number[], by: MemberOrigin): Promise<void> {
  const wanted = [...new Set(thresholds)].toSorted((a, b) => b - a)
  const isInvalid = wanted.some((one) => !Number.isSafeInteger(one) || one < 0 || one > maxThresholdCredits)
  const invalidMessage = `Enter whole numbers of credits from 0 to ${maxThresholdCredits.toLocaleString('en-GB')} separated by spaces, for example: 1000 50.`
  refuseFaults({ thresholds: isInvalid ? invalidMessage : wanted.length > maxThresholds ? `Enter up to ${maxThresholds} balances.` : null })
  await inTransaction(db, async (tx) => {
    await lockRows(tx, 'wallet', [accountId])
    await requireMember(tx, accountId, by.memberId ?? null, 'billing.setAlerts')
    const { balance } = await tx.wallet.findUniqueOrThrow({ where: { accountId }, select: { balance: true } })
    const before = { thresholds: await getAlertThresholds(tx, accountId) }
    const alerts = { thresholds: wanted, armed: wanted.filter((threshold) => threshold < balance) }
    await tx.balanceAlert.upsert({ where: { accountId }, create: { accountId, ...alerts }, update: alerts, select: { accountId: true } })
    await writeAudit(tx, { ...by, accountId, actor: 'account', action: 'alerts.change', before, after: { thresholds: wanted } })
  })
}

/** Maximum number of accounts per transaction. Limited, because the transaction locks their wallets. */
const maxAccountsPerRun = 500

/**
 * Writes a notice, and an event for webhooks that subscribe to it, for every account whose balance has fallen to an armed threshold or below (see
 * `checkLowBalances`). Works in bounded transactions until it has caught up, in one process at a time. Returns the number of accounts notified.
 */
export async function noticeLowBalances(db: Database, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const { notified, hasMore } = await checkLowBalances(db, maxAccountsPerRun)
    total += notified
    if (!hasMore || signal?.aborted) return total
  }
}
