import type { Pool } from 'pg'
import { londonDay } from '../sources/calendar.ts'
import { type FetchLimits, type FetchOptions, fetchSource, usualLimits, type Validators } from '../sources/fetch-source.ts'
import { type FeedSource, SourceError } from '../sources/source.ts'
import { FeedError } from './feed-error.ts'
import { GuardError } from './guard.ts'
import { replaceHeld } from './held-feeds.store.ts'
import { keepFeed } from './held-feeds.ts'
import { type ImportReport, importFeed } from './import-feed.ts'
import type { ImportPhase } from './progress.ts'
import { inPieces } from './text-pieces.ts'

/** A feed of a whole market is larger than a publisher's file, and takes longer. */
const feedLimits: FetchLimits = { ...usualLimits, attemptMs: 120_000, totalMs: 300_000, maximumBytes: 256 * 1024 * 1024 }

/** What was fetched and taken in. `asOf` is the ISO date that the server gave the file, else the day of the fetch. */
export type Pulled =
  | { readonly changed: false }
  | { readonly changed: true; readonly report: ImportReport; readonly sha256: string; readonly validators: Validators; readonly asOf: string }

/** How far the import of what was fetched is; `share` of its text has been read, from 0 to 1. */
export type PullProgress = { readonly phase: ImportPhase; readonly records: number; readonly share: number | null }

export type PullOptions = FetchOptions & {
  /** Apply it even if it changes more than a feed usually does. */
  readonly confirm?: boolean | undefined
  readonly onProgress?: ((progress: PullProgress) => void) | undefined
}

const longestFault = 2_000

/** What is wrong with a feed, in words for whoever reads the report of a refresh: there is no file to import, only a source to fetch again. */
function problemOf(fault: FeedError | GuardError, { feed, name }: FeedSource): string {
  if (fault instanceof FeedError) return fault.message
  return new GuardError(feed, fault.preview, `If it is right, fetch it again: svc market refresh --source ${name} --confirm`).message
}

/** The name by which a feed says its format and its kind: that of the kind, with the ending of the address. */
function fileNameOf({ feed }: FeedSource, url: string): string {
  const ending = /\.(?:csv|ndjson|jsonl|json)$/i.exec(new URL(url).pathname)
  return `${feed}${ending?.[0].toLowerCase() ?? ''}`
}

function dayOf(lastModified: string | null, now: number): string {
  const at = lastModified === null ? Number.NaN : Date.parse(lastModified)
  return londonDay(Number.isNaN(at) ? now : Math.min(at, now))
}

/**
 * Fetches a feed if it changed, and takes it into the live market as a complete one, like `svc market import` would.
 * @throws SourceError when it cannot be had, has faults, or would change more than a feed usually does and is not confirmed; the market is then as it was,
 * and what was fetched is kept for the desk.
 */
export async function pullFeed(
  pool: Pool,
  { source, url }: { source: FeedSource; url: string },
  validators: Validators,
  options: PullOptions,
): Promise<Pulled> {
  const fetched = await fetchSource({ source, url }, validators, { ...options, limits: options.limits ?? feedLimits })
  if (!fetched.changed) {
    // The source is back at what was taken in last: what was held since then it does not say any more.
    await replaceHeld(pool, source.name)
    return { changed: false }
  }
  const { text, sha256, etag, lastModified } = fetched
  const [fileName, asOf] = [fileNameOf(source, url), dayOf(lastModified, options.now())]
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
    throw new SourceError(problemOf(fault, source).slice(0, longestFault), 'The market stays as it is.', { cause: fault })
  }
}
