import type { Pool } from 'pg'
import { suggestion } from '../../contract/nearest.ts'
import type { Dataset } from '../dataset.ts'
import { FaultList } from './feed-error.ts'
import type { FeedKind } from './feed-kind.ts'
import { type Applied, applyFeed } from './import.store.ts'
import { type FeedSource, readFeed } from './read-feed.ts'
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
  /** It comes with this release; the seed says so, and no one else. */
  readonly isSeed?: boolean | undefined
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
  /** Version of the market after the import; in a dry run the version that it would have had. */
  readonly marketVersion: number
}

function refuseUnknown(fileName: string, { unknown, slugs }: Extract<Applied, { applied: false }>): void {
  const faults = new FaultList()
  const hints = new Map<string, string>()
  for (const { line, slug } of unknown) {
    const hint = hints.get(slug) ?? suggestion(slug, slugs)
    hints.set(slug, hint)
    faults.add(line, 'providerSlug', `names no provider of the dataset: "${slug}".${hint} Import providers first.`)
  }
  faults.throwIfAny(fileName)
}

/**
 * Reads, checks and applies one feed, whole or not at all. Applying the same feed again changes nothing.
 * @throws FeedError with the faulty lines when anything about the feed is wrong; errors of the database as they are.
 */
export async function importFeed(pool: Pool, feed: Feed): Promise<ImportReport> {
  const { fileName, dataset, dryRun = false, partial = false, isSeed = false } = feed
  const raw = await readFeed(feed.source, fileName)
  const { kind, records } = validateFeed(fileName, raw)
  const result = await applyFeed(pool, { dataset, kind, records, fileName, sha256: raw.sha256, dryRun, partial, isSeed })
  if (!result.applied) {
    refuseUnknown(fileName, result)
    throw new Error('A feed was refused without a fault.')
  }
  const { counts, marketVersion } = result
  const rows = records.length
  const unchanged = rows - counts.added - counts.changed - counts.restored - counts.checked
  return { dataset, kind, fileName, format: raw.format, sha256: raw.sha256, dryRun, partial, rows, ...counts, unchanged, marketVersion }
}
