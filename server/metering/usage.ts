import type { Pool } from 'pg'
import type { UsageSummary } from '#server/api/contract/account-summary.ts'
import { forgetRefusedCalls } from './refused-calls.store.ts'
import { forgetDetails } from './request-notes.store.ts'
import { forgetTraffic } from './traffic.store.ts'
import { addUpUsage as addUp, dropLogDay, keepPartitions, readUsage, summariseLog } from './usage.store.ts'

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

/** Adds new rows of the log to the usage of each day, and sees to it that the next turn finds its own without reading these; null when another process is doing it. */
export async function addUpUsage(pool: Pool): Promise<Date | null> {
  const asOf = await addUp(pool)
  if (asOf !== null) await summariseLog(pool)
  return asOf
}

const forgottenAtOnce = 20_000
const mostTurns = 20

/** Makes the log's partitions ahead of time, and forgets traffic, sums of refused calls, idempotency keys and details of requests that are too old. */
export async function keepLog(pool: Pool): Promise<void> {
  await keepPartitions(pool)
  await forgetTraffic(pool)
  await forgetRefusedCalls(pool)
  // In small pieces, so that none holds its rows for long; what is left over goes at the next turn.
  for (let turn = 0; turn < mostTurns; turn++) if ((await forgetDetails(pool, forgottenAtOnce)) < forgottenAtOnce) return
}

const mostDaysAtOnce = 10

/** Drops days of the log that are older than it is kept, some of them at each turn. What they charged stays in the books, and their sums in the usage. */
export async function dropOldLog(pool: Pool, keptDays: number, signal?: AbortSignal): Promise<number> {
  for (let dropped = 0; dropped < mostDaysAtOnce; dropped++) {
    if (signal?.aborted || (await dropLogDay(pool, keptDays)) === null) return dropped
  }
  return mostDaysAtOnce
}
