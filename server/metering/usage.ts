import type { UsageSummary } from '#server/api/contract/account-summary.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { deleteActionReplays } from './action-replays.ts'
import { deleteRequestDetails } from './requests.sql.ts'
import { deleteTraffic } from './traffic.ts'
import { addUpUsage as addUp, deleteUsageHours, dropLogDay, isMovedLog, maintainPartitions, readUsage, renumberRows, summariseLog } from './usage.sql.ts'

/** Returns the account's balance and today's usage. @throws if the account has no wallet, which can't happen for a key that was just admitted */
export async function getUsageSummary(db: Database, accountId: number): Promise<UsageSummary> {
  const row = await readUsage(db, accountId)
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
export async function addUpUsage(db: Database): Promise<Date | null> {
  const asOf = await addUp(db)
  if (asOf !== null) await summariseLog(db)
  return asOf
}

const deleteBatchSize = 20_000
const maxDeleteBatches = 20
const refusedCallsKeptMs = 32 * 86_400_000

/** Creates log partitions ahead of time, and deletes expired traffic, hourly usage, rejected-call counts, idempotency keys and request details. */
export async function maintainLog(db: Database): Promise<void> {
  await maintainPartitions(db)
  await deleteTraffic(db)
  await inBatches((max) => deleteActionReplays(db, max))
  const where = { hour: { lt: new Date(clock.now() - refusedCallsKeptMs) } }
  await inBatches(async (limit) => (await db.refusedCalls.deleteMany({ where, limit })).count)
  await inBatches((max) => deleteRequestDetails(db, max))
  await inBatches((max) => deleteUsageHours(db, max))
}

/** Deletes rows in small batches, so that none is locked for long. The next run deletes the rest. */
async function inBatches(deleteRows: (max: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < maxDeleteBatches; batch++) if ((await deleteRows(deleteBatchSize)) < deleteBatchSize) return
}

const maxDaysPerRun = 10

/** Drops up to ten days of the log that are past retention, and returns how many. Their charges stay part of the balance, and their usage totals are kept. */
export async function dropOldLog(db: Database, keptDays: number, signal?: AbortSignal): Promise<number> {
  for (let dropped = 0; dropped < maxDaysPerRun; dropped++) {
    if (signal?.aborted || (await dropLogDay(db, keptDays)) === null) return dropped
  }
  return maxDaysPerRun
}

/**
 * Renumbers a request log that was moved here from another PostgreSQL server with pg_dump. Its transaction ids belong to the old server, so usage would be
 * counted twice or never. Runs before the service accepts requests, because renumbering blocks calls.
 */
export async function renumberMovedLog(db: Database, log: Log): Promise<void> {
  if (!(await isMovedLog(db))) return
  log.warn('The request log comes from another PostgreSQL server; renumbering its rows.')
  const rows = await renumberRows(db)
  log.warn({ rows: rows ?? 0 }, 'Renumbered the request log.')
}
