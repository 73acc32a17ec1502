import type { UsageSummary } from '#server/api/contract/account-summary.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { deleteRefusedCalls } from './refused-calls.store.ts'
import { deleteRequestDetails } from './requests.store.ts'
import { addUpUsage as addUp, deleteTraffic, dropLogDay, isMovedLog, maintainPartitions, readUsage, renumberRows, summariseLog } from './usage.store.ts'

/** Returns the account's balance and today's usage. @throws if the account has no wallet, which can't happen for a key that was just admitted */
export async function getUsageSummary(pool: Database, accountId: number): Promise<UsageSummary> {
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

/**
 * Adds new rows of the request log to the usage totals, then summarises the log's BRIN index for the next run. Returns the time up to which the totals are now
 * complete; null if another process is already adding them up.
 */
export async function addUpUsage(pool: Database): Promise<Date | null> {
  const asOf = await addUp(pool)
  if (asOf !== null) await summariseLog(pool)
  return asOf
}

const deleteBatchSize = 20_000
const maxDeleteBatches = 20

/** Creates log partitions ahead of time, and deletes expired traffic, rejected-call counts, idempotency keys and request details. */
export async function maintainLog(pool: Database): Promise<void> {
  await maintainPartitions(pool)
  await deleteTraffic(pool)
  await deleteRefusedCalls(pool)
  // Rows are deleted in small batches, so that none is locked for long. The next run deletes the rest.
  for (let batch = 0; batch < maxDeleteBatches; batch++) if ((await deleteRequestDetails(pool, deleteBatchSize)) < deleteBatchSize) return
}

const maxDaysPerRun = 10

/** Drops up to ten days of the log that are past retention, and returns how many. Their charges stay part of the balance, and their usage totals are kept. */
export async function dropOldLog(pool: Database, keptDays: number, signal?: AbortSignal): Promise<number> {
  for (let dropped = 0; dropped < maxDaysPerRun; dropped++) {
    if (signal?.aborted || (await dropLogDay(pool, keptDays)) === null) return dropped
  }
  return maxDaysPerRun
}

/**
 * Renumbers a request log that was moved here from another PostgreSQL server with pg_dump. Its transaction ids belong to the old server, so usage would be
 * counted twice or never. Runs before the service accepts requests, because renumbering blocks calls.
 */
export async function renumberMovedLog(pool: Database, log: Log): Promise<void> {
  if (!(await isMovedLog(pool))) return
  log.warn('The request log comes from another PostgreSQL server; renumbering its rows.')
  const rows = await renumberRows(pool)
  log.warn({ rows: rows ?? 0 }, 'Renumbered the request log.')
}
