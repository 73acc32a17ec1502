import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { inLongTransaction } from '../../db/long-transaction.ts'
import type { FeedKind } from './feed-kind.ts'
import { previewOf } from './feed-preview.store.ts'
import { feedTables } from './feed-tables.ts'
import { GuardError } from './guard.ts'
import { applyHistoryFeed, historyColumns } from './history-feed.store.ts'
import type { OnProgress } from './progress.ts'
import type { ChangeCounts } from './row-change.ts'
import { stageFeed } from './stage.store.ts'
import { applyTableFeed, type Outcome, providerSlugs, type StagedFeed } from './table-feed.store.ts'
import { withUnknownProviders } from './unknown-providers.ts'
import type { FeedRecord } from './validate-feed.ts'

/** How long an import may take: each of its statements, and the wait for another import before it. */
export type Patience = { readonly statementMs: number; readonly turnSeconds: number }

/** Nobody sits in front of it; a large market takes its time. */
export const usualPatience: Patience = { statementMs: 600_000, turnSeconds: 60 }

export type FeedToApply = StagedFeed & {
  readonly kind: FeedKind
  readonly batches: AsyncIterable<readonly FeedRecord[]>
  /** Known when the batches have been gone through. */
  readonly sha256: () => string
  /** Whether it is applied also where there are reasons to ask first. */
  readonly isConfirmed: boolean
  readonly patience: Patience
  readonly onProgress?: OnProgress | undefined
}

export type Applied = Outcome & { readonly rows: number; readonly marketVersion: number }

/** What PostgreSQL says when a lock was not had in time. */
const lockNotAvailable = '55P03'

/** Another import did not end in time. */
export class BusyError extends Error {
  override name = 'BusyError'

  constructor(cause: unknown) {
    super('Another market import is under way. Try again when it has ended.', { cause })
  }
}

/** Identifies the advisory lock that lets imports in one at a time. */
const importLock = [20_261, 2]

async function recordImport(client: PoolClient, feed: FeedToApply, rows: number, counts: ChangeCounts): Promise<void> {
  await client.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())`,
    [feed.dataset, feed.kind, feed.fileName, feed.sha256(), rows, counts.added, counts.changed + counts.restored, counts.withdrawn, feed.isSeed],
  )
}

/** Tells every process that the market changed. Last of all, because the row is one that every batch of calls looks at. */
export async function bumpVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>(
    'UPDATE service_state SET version = version + 1, market_version = market_version + 1 WHERE id = 1 RETURNING market_version',
  )
  const version = rows[0]?.market_version
  if (version === undefined) throw new Error('service_state has no row: the migrations are incomplete.')
  return version
}

async function currentVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>('SELECT market_version FROM service_state WHERE id = 1')
  return rows[0]?.market_version ?? 0
}

/**
 * Waits for an import that is under way, but not for ever: each would compare with what the other is about to change. The lock is held until
 * the transaction has ended, so that history and events become visible in the order of their numbers. The statements of the transaction must be allowed to
 * take longer than `seconds`, or the time limit for them comes first.
 * @throws BusyError
 */
export async function waitForTurn(client: PoolClient, seconds: number): Promise<void> {
  await client.query("SELECT set_config('lock_timeout', $1, true)", [`${seconds}s`])
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', importLock).catch((fault: unknown) => {
    if (!(fault instanceof DatabaseError) || fault.code !== lockNotAvailable) throw fault
    throw new BusyError(fault)
  })
}

/** Tables of a feed go with its transaction; where several are tried in one, each has to make room for the next. */
const makeRoom = `DROP TABLE IF EXISTS pg_temp.market_feed, pg_temp.market_diff, pg_temp.market_move, pg_temp.market_step, pg_temp.market_standing, pg_temp.market_chain`

/** Feeds that are tried one after the other, and how many of them changed something so far. */
type Trial = { changed: number }

/** The version that a feed leads to. A trial only counts: nobody who changes the version is to wait until it is taken back. */
async function versionAfter(client: PoolClient, hasChanges: boolean, trial: Trial | null): Promise<number> {
  if (trial === null) return hasChanges ? await bumpVersion(client) : await currentVersion(client)
  if (hasChanges) trial.changed++
  return (await currentVersion(client)) + trial.changed
}

async function applyInside(client: PoolClient, feed: FeedToApply, trial: Trial | null): Promise<Applied> {
  const { kind } = feed
  const columns = kind === 'rate_history' ? historyColumns : feedTables[kind].columns
  // Reading takes longest and looks at nothing that others write, so the turn is only waited for afterwards.
  const slugs = kind === 'provider' ? null : await providerSlugs(client, feed.dataset)
  const batches = slugs === null ? feed.batches : withUnknownProviders(feed.batches, { fileName: feed.fileName, slugs })
  const rows = await stageFeed(client, columns, batches, feed.onProgress)
  await waitForTurn(client, feed.patience.turnSeconds)
  feed.onProgress?.('comparing', rows)
  const beforeWriting = () => feed.onProgress?.('writing', rows)
  const outcome = kind === 'rate_history' ? await applyHistoryFeed(client, feed, beforeWriting) : await applyTableFeed(client, kind, feed, beforeWriting)
  const { counts, reasons } = outcome
  if (reasons.length > 0 && !feed.isConfirmed && trial === null) throw new GuardError(feed.fileName, await previewOf(client, { ...outcome, rows }))
  await recordImport(client, feed, rows, counts)
  const hasChanges = Object.values(counts).some((count) => count > 0)
  return { ...outcome, rows, marketVersion: await versionAfter(client, hasChanges, trial) }
}

/** What else is done in the transaction of an import, behind it. What it throws takes the import back. */
export type AlongWith = (client: PoolClient, applied: Applied) => Promise<void>

/**
 * Brings a feed into the market in one transaction: compared as a whole, written as a whole or not at all.
 * @throws FeedError with the faulty lines, GuardError when it would change more than a feed usually does, BusyError when another one did not end in time.
 */
export async function applyFeed(pool: Pool, feed: FeedToApply, alongWith: AlongWith = async () => undefined): Promise<Applied> {
  return await inLongTransaction(pool, feed.patience.statementMs, async (client) => {
    const applied = await applyInside(client, feed, null)
    await alongWith(client, applied)
    return applied
  })
}

/**
 * Applies feeds one after the other, each to what the ones before it made, and takes all of it back: what they come to is what they would come to in
 * earnest. A feed that the guard would stop is not stopped, it says so.
 */
export async function tryFeeds<Report>(
  pool: Pool,
  feeds: AsyncIterable<FeedToApply>,
  describe: (feed: FeedToApply, applied: Applied) => Report,
): Promise<Report[]> {
  return await inLongTransaction(pool, usualPatience.statementMs, async (client) => {
    const reports: Report[] = []
    const trial = { changed: 0 }
    await client.query('SAVEPOINT before_feeds')
    for await (const feed of feeds) {
      reports.push(describe(feed, await applyInside(client, feed, trial)))
      await client.query(makeRoom)
    }
    await client.query('ROLLBACK TO SAVEPOINT before_feeds')
    return reports
  })
}
