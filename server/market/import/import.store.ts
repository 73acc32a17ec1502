import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'
import type { FeedKind } from './feed-kind.ts'
import { copyFeed, copyText, createFeed } from './feed-sql.ts'
import type { Columns } from './feed-table.ts'
import { feedTables } from './feed-tables.ts'
import type { OnProgress } from './guard.ts'
import { GuardError } from './guard.ts'
import { applyHistoryFeed, historyColumns } from './history-feed.store.ts'
import type { ChangeCounts } from './row-change.ts'
import { withUnknownProviders } from './staged-faults.ts'
import { applyTableFeed, buildPreview, type Outcome, providerSlugs, type StagedFeed } from './table-feed.store.ts'
import type { FeedRecord } from './validate-feed.ts'

/**
 * Copies a feed into the temporary table `market_feed` while reading it, so that only one batch is in memory. Returns the number of records; the batches throw
 * validation errors at their end.
 */
async function stageFeed(
  client: Transaction,
  columns: Columns,
  batches: AsyncIterable<readonly FeedRecord[]>,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  await client.query(createFeed(columns))
  const fields = Object.values(columns).map(({ field }) => field)
  let count = 0
  async function* rows() {
    for await (const batch of batches) {
      count += batch.length
      if (batch.length > 0) yield copyText(batch, fields)
      onProgress('reading', count)
    }
  }
  await pipeline(Readable.from(rows(), { objectMode: false }), client.query(copyFrom(copyFeed(columns))))
  return count
}

/** Time limits of an import: for each statement, and for waiting for another import. */
export type ImportLimits = { readonly statementMs: number; readonly lockSeconds: number }

/** Limits for unattended imports, which may be large. */
export const defaultImportLimits: ImportLimits = { statementMs: 600_000, lockSeconds: 60 }

export type FeedToApply = StagedFeed & {
  readonly kind: FeedKind
  readonly batches: AsyncIterable<readonly FeedRecord[]>
  /** Available once the batches have been consumed. */
  readonly sha256: () => string
  /** True to apply the feed despite reasons to require confirmation. */
  readonly isConfirmed: boolean
  readonly limits: ImportLimits
  readonly onProgress?: OnProgress | undefined
}

export type Applied = Outcome & { readonly rows: number; readonly marketVersion: number }

/** PostgreSQL error code for a lock timeout. */
const lockNotAvailable = '55P03'

/** Thrown if another import didn't finish in time. */
export class BusyError extends Error {
  override name = 'BusyError'

  constructor(cause: unknown) {
    super('Another market import is running. Try again when it has finished.', { cause })
  }
}

/** Advisory lock that serialises imports. */
const importLock = [20_261, 2]

async function recordImport(client: Transaction, feed: FeedToApply, rows: number, counts: ChangeCounts): Promise<void> {
  await client.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())`,
    [feed.dataset, feed.kind, feed.fileName, feed.sha256(), rows, counts.added, counts.changed + counts.restored, counts.withdrawn, feed.isSeed],
  )
}

/** Notifies every process that the market changed. Call it last in a transaction, because every batch of requests reads this row. */
export async function bumpVersion(client: Transaction): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>(
    'UPDATE service_state SET version = version + 1, market_version = market_version + 1 WHERE id = 1 RETURNING market_version',
  )
  const version = rows[0]?.market_version
  if (version === undefined) throw new Error('service_state has no row: the migrations are incomplete.')
  return version
}

async function currentVersion(client: Transaction): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>('SELECT market_version FROM service_state WHERE id = 1')
  return rows[0]?.market_version ?? 0
}

/**
 * Waits a limited time for a running import: each of two concurrent imports would compare with rows that the other one is about to change. The lock is held
 * until the end of the transaction, so that history and events become visible in order of their numbers. The statement timeout must be longer than `seconds`,
 * or it fires first.
 * @throws BusyError
 */
export async function takeImportLock(client: Transaction, seconds: number): Promise<void> {
  await client.query("SELECT set_config('lock_timeout', $1, true)", [`${seconds}s`])
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', importLock).catch((fault: unknown) => {
    if (!(fault instanceof DatabaseError) || fault.code !== lockNotAvailable) throw fault
    throw new BusyError(fault)
  })
}

/** Temporary tables are dropped on commit. A transaction with several dry runs has to drop them after each one. */
const dropFeedTables = `DROP TABLE IF EXISTS pg_temp.market_feed, pg_temp.market_diff, pg_temp.market_move, pg_temp.market_step, pg_temp.market_standing, pg_temp.market_chain`

/** Dry run of several feeds; counts the feeds that changed something. */
type Trial = { changed: number }

/** Market version after a feed. A dry run only counts in memory, so that it doesn't block writers of the version row until its rollback. */
async function versionAfter(client: Transaction, hasChanges: boolean, trial: Trial | null): Promise<number> {
  if (trial === null) return hasChanges ? await bumpVersion(client) : await currentVersion(client)
  if (hasChanges) trial.changed++
  return (await currentVersion(client)) + trial.changed
}

async function applyInside(client: Transaction, feed: FeedToApply, trial: Trial | null): Promise<Applied> {
  const { kind } = feed
  const columns = kind === 'rate_history' ? historyColumns : feedTables[kind].columns
  // Reading takes longest and depends on no shared data, so the lock is only taken afterwards.
  const slugs = kind === 'provider' ? null : await providerSlugs(client, feed.dataset)
  const batches = slugs === null ? feed.batches : withUnknownProviders(feed.batches, { fileName: feed.fileName, slugs })
  const rows = await stageFeed(client, columns, batches, feed.onProgress)
  await takeImportLock(client, feed.limits.lockSeconds)
  feed.onProgress?.('comparing', rows)
  const beforeWriting = () => feed.onProgress?.('writing', rows)
  const outcome = kind === 'rate_history' ? await applyHistoryFeed(client, feed, beforeWriting) : await applyTableFeed(client, kind, feed, beforeWriting)
  const { counts, reasons } = outcome
  if (reasons.length > 0 && !feed.isConfirmed && trial === null) throw new GuardError(feed.fileName, await buildPreview(client, { ...outcome, rows }))
  await recordImport(client, feed, rows, counts)
  const hasChanges = Object.values(counts).some((count) => count > 0)
  return { ...outcome, rows, marketVersion: await versionAfter(client, hasChanges, trial) }
}

/** Extra work that runs after an import, in its transaction. If it throws, the import is rolled back. */
export type AlongWith = (client: Transaction, applied: Applied) => Promise<void>

/**
 * Imports a feed in one transaction.
 * @throws FeedError with the invalid lines, GuardError if it exceeds the limits on changes, BusyError if another import didn't finish in time.
 */
export async function applyFeed(pool: Database, feed: FeedToApply, alongWith: AlongWith = async () => undefined): Promise<Applied> {
  return await inLongTransaction(pool, feed.limits.statementMs, async (client) => {
    const applied = await applyInside(client, feed, null)
    await alongWith(client, applied)
    return applied
  })
}

/**
 * Applies feeds one after the other and rolls everything back. The results are those of a real import, except that the guard only reports its
 * reasons.
 */
export async function tryFeeds<Report>(
  pool: Database,
  feeds: AsyncIterable<FeedToApply>,
  describe: (feed: FeedToApply, applied: Applied) => Report,
): Promise<Report[]> {
  return await inLongTransaction(pool, defaultImportLimits.statementMs, async (client) => {
    const reports: Report[] = []
    const trial = { changed: 0 }
    await client.query('SAVEPOINT before_feeds')
    for await (const feed of feeds) {
      reports.push(describe(feed, await applyInside(client, feed, trial)))
      await client.query(dropFeedTables)
    }
    await client.query('ROLLBACK TO SAVEPOINT before_feeds')
    return reports
  })
}
