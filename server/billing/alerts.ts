import { refuseFaults } from '../contract/field-errors.ts'
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

/** @throws FieldsError when a threshold cannot be used. */
export async function setAlerts({ pool }: BillingRoom, accountId: number, thresholds: readonly number[]): Promise<void> {
  const wanted = [...new Set(thresholds)].toSorted((a, b) => b - a)
  const isUnusable = wanted.some((one) => !Number.isSafeInteger(one) || one < 0 || one > highestThreshold)
  const unusable = `A balance to be told at is a whole number of credits from 0 to ${highestThreshold.toLocaleString('en-GB')}.`
  refuseFaults({ thresholds: isUnusable ? unusable : wanted.length > mostThresholds ? `Choose at most ${mostThresholds} balances.` : null })
  await writeThresholds(pool, accountId, wanted)
}

export { noticeLowBalances }
