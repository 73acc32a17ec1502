import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { RelationChecks } from '../checks/check-relations.ts'
import type { Dataset } from '../product.ts'
import { londonDay } from '../sources/calendar.ts'
import { type AlongWith, type Applied, applyFeed, defaultImportLimits, type FeedToApply, type ImportLimits, tryFeeds } from './apply-feed.ts'
import { FeedWarnings } from './feed-warnings.ts'
import type { OnProgress } from './guard.ts'
import { type FeedSource, type RawFeed, readFeed } from './read-feed.ts'
import { validateFeed } from './validate-feed.ts'

/** Feed to import, and the options of the import. */
export type Feed = {
  readonly source: FeedSource
  /**
   * The extension determines the format. The rest of the name determines the kind, unless the records state it. Shown in error messages and in the import
   * record.
   */
  readonly fileName: string
  readonly dataset: Dataset
  /** Report the changes without making them. */
  readonly dryRun?: boolean | undefined
  /** Keep rows that the feed omits. By default a feed is complete. */
  readonly partial?: boolean | undefined
  /** Expected number of rows. A feed with any other number is rejected. */
  readonly expectedRows?: number | undefined
  /** True if the feed must have a line that states its number of rows. */
  readonly requiresCount?: boolean | undefined
  /** Apply the feed even if it exceeds the limits on changes. */
  readonly confirm?: boolean | undefined
  /** Write no events, so that no webhooks are sent. By default, only the seed writes none. */
  readonly quiet?: boolean | undefined
  /**
   * True for a feed that ships with the release. Its import is never stopped by the guard, and a history feed replaces existing history. Later releases still
   * update the dataset.
   */
  readonly isSeed?: boolean | undefined
  /** Time limits. The defaults are several minutes, for unattended imports. */
  readonly limits?: ImportLimits | undefined
  readonly onProgress?: OnProgress | undefined
}

type OpenFeed = { readonly raw: RawFeed; readonly toApply: FeedToApply; readonly warnings: FeedWarnings }

const maxProviders = 500_000

/** Returns checks that compare records with the providers of a dataset. */
async function readRelations(pool: Database, dataset: Dataset): Promise<RelationChecks> {
  const select = {
    slug: true,
    name: true,
    protectionScheme: true,
    protectionLimitPence: true,
    licenceGroup: true,
    cassParticipant: true,
    active: true,
  } as const
  const rows = await pool.provider.findMany({ where: { dataset }, take: maxProviders, select })
  const toKnown = ({ protectionLimitPence: limit, ...provider }: (typeof rows)[number]) => ({
    ...provider,
    protectionLimit: limit === null ? null : Number(limit),
  })
  return new RelationChecks(new Map(rows.map((row) => [row.slug, toKnown(row)])))
}

/** Reads a feed far enough to determine its kind. */
async function open(feed: Feed, relations: RelationChecks): Promise<OpenFeed> {
  const { source, fileName, dataset, partial = false, confirm = false, isSeed = false, quiet = isSeed, limits = defaultImportLimits, onProgress } = feed
  const raw = readFeed(source, fileName, feed)
  try {
    const { kind, batches: valid } = await validateFeed(fileName, raw)
    const warnings = new FeedWarnings(relations)
    const batches = warnings.watch(kind, valid, londonDay(clock.now()))
    const settings = { partial, isSeed, isQuiet: quiet, isConfirmed: confirm || isSeed }
    return { raw, warnings, toApply: { dataset, kind, batches, fileName, sha256: raw.sha256, limits, onProgress, ...settings } }
  } catch (fault) {
    // If the feed was rejected early, its file is still open.
    await raw.batches.return()
    throw fault
  }
}

/**
 * Returns the result of an import, or of a dry run. Counts are numbers of rows in the market; `withdrawn` counts listed rows that a complete feed omits. `rows` is
 * the number of records in the feed, which equals `added + changed + restored + checked + unchanged`.
 */
function toReport({ raw, toApply, warnings }: OpenFeed, { counts, rows, changes, replaced, reasons, marketVersion }: Applied, dryRun: boolean) {
  const { dataset, kind, fileName, partial } = toApply
  const described = { dataset, kind, fileName, format: raw.format(), sha256: raw.sha256(), dryRun, partial }
  return {
    ...described,
    rows,
    ...counts,
    unchanged: rows - counts.added - counts.changed - counts.restored - counts.checked,
    /** History rows that a history feed replaced or corrected. */
    replaced,
    /** Version of the market after the import; in a dry run, the version it would have. */
    marketVersion,
    /** First rows for each kind of change, with their fields before and after. */
    changes,
    /** Reasons why the import requires (or required) confirmation, one sentence each. */
    needsConfirmation: reasons,
    /** Contradictions in the records, one sentence each. They don't stop an import. */
    warnings: warnings.list(),
  }
}

export type ImportReport = ReturnType<typeof toReport>

/**
 * Validates feeds and reports the changes that each would make after the preceding feeds, without applying any.
 * @throws FeedError like `importFeed`. Never throws GuardError: the report lists the reasons instead.
 */
export async function rehearseFeeds(pool: Database, feeds: readonly Feed[]): Promise<readonly ImportReport[]> {
  const opened: OpenFeed[] = []
  // Read before the transaction begins, which would otherwise hold one connection while it waits for another.
  const relations = new Map<Dataset, RelationChecks>()
  for (const dataset of new Set(feeds.map((feed) => feed.dataset))) relations.set(dataset, await readRelations(pool, dataset))
  async function* each() {
    for (const feed of feeds) {
      const one = await open(feed, relations.get(feed.dataset) ?? new RelationChecks(new Map()))
      opened.push(one)
      yield one
    }
  }
  try {
    return await tryFeeds(pool, each(), (one, applied) => toReport(one, applied, true))
  } finally {
    for (const { raw } of opened) await raw.batches.return()
  }
}

/**
 * Validates and applies one feed in a single transaction. Applying the same feed again changes nothing. `alongWith` runs in the same transaction.
 * @throws FeedError with the invalid lines if the feed is invalid, GuardError if it exceeds the limits on changes and isn't confirmed; database errors pass
 * through.
 */
export async function importFeed(pool: Database, feed: Feed, alongWith?: AlongWith): Promise<ImportReport> {
  if (feed.dryRun) {
    const [report] = await rehearseFeeds(pool, [feed])
    if (report === undefined) throw new Error('Unreachable: dry run without a report.')
    return report
  }
  const one = await open(feed, await readRelations(pool, feed.dataset))
  try {
    return toReport(one, await applyFeed(pool, one.toApply, alongWith), false)
  } finally {
    await one.raw.batches.return()
  }
}
