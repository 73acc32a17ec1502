import type { Database } from '#server/db/prisma.ts'
import { londonDay } from '../sources/calendar.ts'
import { type FetchLimits, type FetchOptions, fetchSource, usualLimits, type Validators } from '../sources/fetch-source.ts'
import { type FeedSource, SourceError } from '../sources/source.ts'
import { FeedError } from './feed-faults.ts'
import { GuardError, type ImportPhase } from './guard.ts'
import { type ImportReport, importFeed } from './import-feed.ts'
import { inPieces, keepFeed, replaceHeld } from './quarantined-imports.ts'

/** Fetch limits for a feed of the whole market, which is larger than a publisher's file and takes longer to download. */
const feedLimits: FetchLimits = { ...usualLimits, attemptMs: 120_000, totalMs: 300_000, maximumBytes: 256 * 1024 * 1024 }

/**
 * Result of fetching a feed and, if it changed, importing it. `asOf` is the ISO date from the Last-Modified header or, without that header, the date of the
 * fetch.
 */
export type Pulled =
  | { readonly changed: false }
  | { readonly changed: true; readonly report: ImportReport; readonly sha256: string; readonly validators: Validators; readonly asOf: string }

/** Progress of an import. `share` is the fraction of the text read so far, from 0 to 1; null once all of it has been read. */
export type PullProgress = { readonly phase: ImportPhase; readonly records: number; readonly share: number | null }

export type PullOptions = FetchOptions & {
  /** Apply the feed even if it exceeds the limits on changes. */
  readonly confirm?: boolean | undefined
  readonly onProgress?: ((progress: PullProgress) => void) | undefined
}

const maxProblemLength = 2_000

/** Describes the problem for a refresh report, where the fix is to fetch the source again rather than to import a file. */
function getProblem(fault: FeedError | GuardError, { feed, name }: FeedSource): string {
  if (fault instanceof FeedError) return fault.message
  return new GuardError(feed, fault.preview, `If this is correct, fetch the feed again: svc market refresh --source ${name} --confirm`).message
}

/** Returns a file name that implies the kind and the format: the kind, with the extension of the URL. */
function getFileName({ feed }: FeedSource, url: string): string {
  const ending = /\.(?:csv|ndjson|jsonl|json)$/i.exec(new URL(url).pathname)
  return `${feed}${ending?.[0].toLowerCase() ?? ''}`
}

function toDay(lastModified: string | null, now: number): string {
  const at = lastModified === null ? Number.NaN : Date.parse(lastModified)
  return londonDay(Number.isNaN(at) ? now : Math.min(at, now))
}

/**
 * Fetches a feed if it changed and imports it into the live market as a complete feed, like `svc market import`.
 * @throws SourceError if the feed can't be fetched, is invalid, or exceeds the limits on changes without confirmation. The market is then unchanged, and the
 * feed, if it was fetched, is quarantined.
 */
export async function pullFeed(
  pool: Database,
  { source, url }: { source: FeedSource; url: string },
  validators: Validators,
  options: PullOptions,
): Promise<Pulled> {
  const fetched = await fetchSource({ source, url }, validators, { ...options, limits: options.limits ?? feedLimits })
  if (!fetched.changed) {
    // The source is the same as at the last import, so a feed quarantined since then is outdated.
    await replaceHeld(pool, source.name)
    return { changed: false }
  }
  const { text, sha256, etag, lastModified } = fetched
  const [fileName, asOf] = [getFileName(source, url), toDay(lastModified, options.now())]
  try {
    const { pieces, share } = inPieces(text)
    const onProgress = (phase: ImportPhase, records: number) => options.onProgress?.({ phase, records, share: phase === 'reading' ? share() : null })
    const feed = { source: pieces, fileName, dataset: 'live', confirm: options.confirm, onProgress } as const
    const report = await importFeed(pool, feed, (client) => replaceHeld(client, source.name))
    return { changed: true, report, sha256, validators: { etag, lastModified }, asOf }
  } catch (fault) {
    if (!(fault instanceof FeedError || fault instanceof GuardError)) throw fault
    const fetchedAt = new Date(options.now()).toISOString()
    await keepFeed(pool, source, { url, fileName, text, sha256, etag, lastModified, asOf, fetchedAt }, fault)
    throw new SourceError(getProblem(fault, source).slice(0, maxProblemLength), 'The market was not changed.', { cause: fault })
  }
}
