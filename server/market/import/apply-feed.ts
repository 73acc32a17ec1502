import { clock } from '#server/clock.ts'
import { getCode } from '#server/db/database-errors.ts'
import { lockFor, setLockTimeout } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'
import { bumpMarketVersion, currentVersion } from '../market-version.ts'
import type { Dataset } from '../product.ts'
import type { FeedKind } from './feed-kind.ts'
import { feedTables, historyTable } from './feed-tables.ts'
import { GuardError, type OnProgress } from './guard.ts'
import { applyHistoryFeed } from './history-feed.sql.ts'
import type { ChangeCounts } from './row-change.ts'
import { dropFeedTables, providerSlugs, type StagedFeed, stageFeed } from './stage-feed.sql.ts'
import { withUnknownProviders } from './staged-faults.ts'
import { applyTableFeed, buildPreview, type Outcome } from './table-feed.sql.ts'
import type { FeedRecord } from './validate-feed.ts'

/** Time limits of an import: for each statement, and for waiting for another import. */
export type ImportLimits = { readonly statementMs: number; readonly lockSeconds: number }

/** Limits for unattended imports, which may be large. */
export const defaultImportLimits: ImportLimits = { statementMs: 600_000, lockSeconds: 60 }

export type FeedToApply = StagedFeed & {
  readonly kind: FeedKind
  readonly batches: AsyncIterable<readonly FeedRecord[]>
  /** Available once the batches have been consumed. */
  readonly sha256: () => string
  /** True to apply the feed even if it exceeds the limits on changes. */
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

type ImportRecord = { readonly dataset: Dataset; readonly kind: string; readonly fileName: string; readonly sha256: string; readonly isSeed: boolean }

/** Records an import. The market figures are dated by the last import that changed something. */
export async function recordImport(
  tx: Transaction,
  record: ImportRecord,
  rows: number,
  { counts, changedAt }: Pick<Outcome, 'counts' | 'changedAt'>,
): Promise<void> {
  const { dataset, kind, fileName, sha256, isSeed } = record
  const { added, withdrawn } = counts
  const changed = counts.changed + counts.restored
  const data = { dataset, kind, fileName, sha256, isSeed, rows, added, changed, withdrawn, at: new Date(clock.now()), changedAt }
  await tx.marketImport.create({ data, select: { id: true } })
}

/**
 * Waits a limited time for a running import to finish, because two concurrent imports would each compare with rows that the other is about to change. The lock
 * is held until the end of the transaction, so that history and events become visible in order of their numbers. The statement timeout must be longer than
 * `seconds`, or it fires first.
 * @throws BusyError
 */
export async function takeImportLock(tx: Transaction, seconds: number): Promise<void> {
  await setLockTimeout(tx, seconds * 1_000)
  await lockFor(tx, 'marketImport').catch((error: unknown) => {
    throw getCode(error) === lockNotAvailable ? new BusyError(error) : error
  })
}

export const hasChanges = (counts: ChangeCounts): boolean => Object.values(counts).some((count) => count > 0)

/** Dry run of several feeds; counts the feeds that changed something. */
type Trial = { changed: number }

/**
 * Returns the market version after a feed. A dry run doesn't update the version row, because that would block other writers until the rollback; it adds its own
 * changes to the current version instead.
 */
async function versionAfter(tx: Transaction, counts: ChangeCounts, trial: Trial | null): Promise<number> {
  if (trial === null) return hasChanges(counts) ? await bumpMarketVersion(tx) : await currentVersion(tx)
  if (hasChanges(counts)) trial.changed++
  return (await currentVersion(tx)) + trial.changed
}

async function applyInside(tx: Transaction, feed: FeedToApply, trial: Trial | null): Promise<Applied> {
  const { kind } = feed
  const table = kind === 'rate_history' ? historyTable : feedTables[kind]
  // Reading the feed is the slowest part and doesn't need the lock, so the lock is only taken afterwards.
  const slugs = kind === 'provider' ? null : await providerSlugs(tx, feed.dataset)
  const batches = slugs === null ? feed.batches : withUnknownProviders(feed.batches, feed.fileName, slugs)
  const rows = await stageFeed(tx, table, batches, feed.onProgress)
  await takeImportLock(tx, feed.limits.lockSeconds)
  feed.onProgress?.('comparing', rows)
  const beforeWriting = () => feed.onProgress?.('writing', rows)
  const outcome = kind === 'rate_history' ? await applyHistoryFeed(tx, feed, beforeWriting) : await applyTableFeed(tx, kind, feed, beforeWriting)
  const { counts, reasons } = outcome
  if (reasons.length > 0 && !feed.isConfirmed && trial === null) throw new GuardError(feed.fileName, await buildPreview(tx, { ...outcome, rows }))
  await recordImport(tx, { ...feed, sha256: feed.sha256() }, rows, outcome)
  return { ...outcome, rows, marketVersion: await versionAfter(tx, counts, trial) }
}

/** Extra work that runs after an import, in its transaction. If it throws, the import is rolled back. */
export type AlongWith = (tx: Transaction, applied: Applied) => Promise<void>

/**
 * Imports a feed in one transaction.
 * @throws FeedError with the invalid lines, GuardError if it exceeds the limits on changes, BusyError if another import didn't finish in time.
 */
export async function applyFeed(db: Database, feed: FeedToApply, alongWith: AlongWith = async () => undefined): Promise<Applied> {
  return await inLongTransaction(db, feed.limits.statementMs, async (tx) => {
    const applied = await applyInside(tx, feed, null)
    await alongWith(tx, applied)
    return applied
  })
}

/**
 * Applies feeds one after the other and rolls everything back. The results are those of a real import, except that a feed over the limits on changes isn't
 * rejected; its result lists the reasons.
 */
export async function tryFeeds<One extends { readonly toApply: FeedToApply }, Report>(
  db: Database,
  feeds: AsyncIterable<One>,
  describe: (one: One, applied: Applied) => Report,
): Promise<readonly Report[]> {
  const reports: Report[] = []
  const rollBack = new Error('The dry run is rolled back.')
  const trial = inLongTransaction(db, defaultImportLimits.statementMs, async (tx): Promise<never> => {
    const counter = { changed: 0 }
    for await (const one of feeds) {
      reports.push(describe(one, await applyInside(tx, one.toApply, counter)))
      await dropFeedTables(tx)
    }
    throw rollBack
  })
  await trial.catch((error: unknown) => {
    if (error !== rollBack) throw error
  })
  return reports
}
