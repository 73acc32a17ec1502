import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Pool } from 'pg'
import type { FeedSource } from '../sources/source.ts'
import { FeedError } from './feed-error.ts'
import type { GuardError } from './guard.ts'
import { countWaiting, type FeedToHold, holdFeed } from './held-feeds.store.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** A feed as it was fetched, and what the record of a fetch says of it. */
export type FetchedFeed = Pick<FeedToHold, 'url' | 'fileName' | 'sha256' | 'etag' | 'lastModified' | 'asOf' | 'fetchedAt'> & { readonly text: string }

/** Keeps a feed that was not taken in, for the desk: with its text when it may still be published, with its faulty lines when it cannot. */
export async function keepFeed(
  pool: Pool,
  { name: source, licence, feed: kind }: FeedSource,
  fetched: FetchedFeed,
  fault: FeedError | GuardError,
): Promise<void> {
  const { text, ...rest } = fetched
  const about = { ...rest, source, licence, kind }
  if (fault instanceof FeedError) await holdFeed(pool, { ...about, faults: { lines: fault.faults, count: fault.faultyLines } })
  else await holdFeed(pool, { ...about, preview: fault.preview, body: await compress(text) })
}

/** The text of a feed that was kept. */
export const textOf = async (body: Buffer): Promise<string> => (await expand(body)).toString()

/** How many feeds wait to be looked at, and since when the oldest does; for the overview of the desk. */
export async function waitingImports(pool: Pool): Promise<{ count: number; oldest: Date | null }> {
  return countWaiting(pool)
}
