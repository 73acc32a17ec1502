import type { Pool } from 'pg'
import type { Dataset } from '../dataset.ts'
import type { FeedKind } from './feed-kind.ts'
import { type AlongWith, type Applied, applyFeed, type FeedToApply, type Patience, tryFeeds, usualPatience } from './import.store.ts'
import type { OnProgress } from './progress.ts'
import { type FeedSource, type RawFeed, readFeed } from './read-feed.ts'
import type { RowChange } from './row-change.ts'
import { validateFeed } from './validate-feed.ts'

/** A feed to take in. */
export type Feed = {
  readonly source: FeedSource
  /** Tells the format by its ending and, where the lines do not say it, the kind; also what faults and the record of imports call it. */
  readonly fileName: string
  readonly dataset: Dataset
  /** Report what would change and change nothing. */
  readonly dryRun?: boolean | undefined
  /** Leave alone what the feed does not name; a feed is complete otherwise. */
  readonly partial?: boolean | undefined
  /** Rows that it has to have; it was cut off otherwise. */
  readonly expectedRows?: number | undefined
  /** Whether it has to have a line that counts its rows. */
  readonly requiresCount?: boolean | undefined
  /** Apply it even if it changes more than a feed usually does. */
  readonly confirm?: boolean | undefined
  /** Write no events: nobody is told. */
  readonly quiet?: boolean | undefined
  /** It comes with this release; the seed says so, and no one else. It is quiet, never stopped, and writes history anew. */
  readonly isSeed?: boolean | undefined
  /** How long it may take; an import that nobody sits in front of has minutes. */
  readonly patience?: Patience | undefined
  readonly onProgress?: OnProgress | undefined
}

/** What an import did, or would do in a dry run. Counts are rows of the market. */
export type ImportReport = {
  readonly dataset: Dataset
  readonly kind: FeedKind
  readonly fileName: string
  readonly format: 'ndjson' | 'csv'
  readonly sha256: string
  readonly dryRun: boolean
  readonly partial: boolean
  /** Records in the feed: `added + changed + restored + checked + unchanged`. */
  readonly rows: number
  readonly added: number
  readonly changed: number
  /** Withdrawn before and named again. */
  readonly restored: number
  /** Listed and not named by a complete feed. */
  readonly withdrawn: number
  /** Same in everything but the time at which the address was last checked. */
  readonly checked: number
  readonly unchanged: number
  /** First rows of products in history that gave way to a feed of past changes, or turned into the changes that they were. */
  readonly replaced: number
  /** Version of the market after the import; in a dry run the version that it would have had. */
  readonly marketVersion: number
  /** The first rows of each kind of change, with their fields before and after. */
  readonly changes: readonly RowChange[]
  /** Why it would be stopped, or would have been without the word that it is right; one sentence each. */
  readonly needsConfirmation: readonly string[]
}

type OpenFeed = { readonly raw: RawFeed; readonly toApply: FeedToApply }

/** Reads a feed far enough to know its kind. */
async function open(feed: Feed): Promise<OpenFeed> {
  const { source, fileName, dataset, partial = false, confirm = false, quiet = false, isSeed = false, patience = usualPatience, onProgress } = feed
  const raw = readFeed(source, fileName, feed)
  try {
    const { kind, batches } = await validateFeed(fileName, raw)
    const settings = { partial, isSeed, isQuiet: quiet || isSeed, isConfirmed: confirm || isSeed }
    return { raw, toApply: { dataset, kind, batches, fileName, sha256: raw.sha256, patience, onProgress, ...settings } }
  } catch (fault) {
    // A feed that was refused early still has its file open.
    await raw.batches.return()
    throw fault
  }
}

function reportOf({ raw, toApply }: OpenFeed, { counts, rows, changes, replaced, reasons, marketVersion }: Applied, dryRun: boolean): ImportReport {
  const { dataset, kind, fileName, partial } = toApply
  const unchanged = rows - counts.added - counts.changed - counts.restored - counts.checked
  const described = { dataset, kind, fileName, format: raw.format(), sha256: raw.sha256(), dryRun, partial }
  return { ...described, rows, ...counts, unchanged, replaced, marketVersion, changes, needsConfirmation: reasons }
}

/**
 * Reads and checks feeds and says what each would do after the ones before it, without doing it.
 * @throws FeedError as `importFeed`; no GuardError: the report says what it would be stopped for.
 */
export async function rehearseFeeds(pool: Pool, feeds: readonly Feed[]): Promise<ImportReport[]> {
  const opened = new Map<FeedToApply, OpenFeed>()
  async function* each() {
    for (const feed of feeds) {
      const one = await open(feed)
      opened.set(one.toApply, one)
      yield one.toApply
    }
  }
  try {
    return await tryFeeds(pool, each(), (toApply, applied) => {
      const one = opened.get(toApply)
      if (one === undefined) throw new Error('A feed was applied that was not opened.')
      return reportOf(one, applied, true)
    })
  } finally {
    for (const { raw } of opened.values()) await raw.batches.return()
  }
}

/**
 * Reads, checks and applies one feed, whole or not at all. Applying the same feed again changes nothing.
 * @throws FeedError with the faulty lines when anything about the feed is wrong, GuardError when it would change more than a feed usually
 * does and nobody said that it is right; errors of the database as they are. `alongWith` is done in the same transaction.
 */
export async function importFeed(pool: Pool, feed: Feed, alongWith?: AlongWith): Promise<ImportReport> {
  if (feed.dryRun) {
    const [report] = await rehearseFeeds(pool, [feed])
    if (report === undefined) throw new Error('A feed was tried without a report.')
    return report
  }
  const one = await open(feed)
  try {
    return reportOf(one, await applyFeed(pool, one.toApply, alongWith), false)
  } finally {
    await one.raw.batches.return()
  }
}
