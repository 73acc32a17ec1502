import type { Pool } from 'pg'
import { londonDay } from '../sources/calendar.ts'
import { type FetchLimits, type FetchOptions, fetchSource, usualLimits, type Validators } from '../sources/fetch-source.ts'
import { type FeedSource, SourceError } from '../sources/source.ts'
import { FeedError } from './feed-error.ts'
import { GuardError } from './guard.ts'
import { type ImportReport, importFeed } from './import-feed.ts'

/** A feed of a whole market is larger than a publisher's file, and takes longer. */
const feedLimits: FetchLimits = { ...usualLimits, attemptMs: 120_000, totalMs: 300_000, maximumBytes: 256 * 1024 * 1024 }

/** What was fetched and taken in. `asOf` is the ISO date that the server gave the file, else the day of the fetch. */
export type Pulled =
  | { readonly changed: false }
  | { readonly changed: true; readonly report: ImportReport; readonly sha256: string; readonly validators: Validators; readonly asOf: string }

const longestFault = 2_000

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
 * @throws SourceError when it cannot be had, has faults, or would change more than a feed usually does; the market is then as it was.
 */
export async function pullFeed(
  pool: Pool,
  { source, url }: { source: FeedSource; url: string },
  validators: Validators,
  options: FetchOptions,
): Promise<Pulled> {
  const fetched = await fetchSource({ source, url }, validators, { ...options, limits: options.limits ?? feedLimits })
  if (!fetched.changed) return { changed: false }
  const { text, sha256, etag, lastModified } = fetched
  try {
    const report = await importFeed(pool, { source: text, fileName: fileNameOf(source, url), dataset: 'live' })
    return { changed: true, report, sha256, validators: { etag, lastModified }, asOf: dayOf(lastModified, options.now()) }
  } catch (fault) {
    if (!(fault instanceof FeedError || fault instanceof GuardError)) throw fault
    throw new SourceError(fault.message.slice(0, longestFault), 'The market stays as it is.', { cause: fault })
  }
}
