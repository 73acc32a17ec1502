import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Database } from '#server/db/prisma.ts'
import type { FeedSource } from '../sources/source.ts'
import { FeedError } from './feed-faults.ts'
import type { GuardError } from './guard.ts'
import { countWaiting, type FeedToHold, holdFeed } from './quarantined-imports.store.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Fetched feed with its metadata. */
export type FetchedFeed = Pick<FeedToHold, 'url' | 'fileName' | 'sha256' | 'etag' | 'lastModified' | 'asOf' | 'fetchedAt'> & { readonly text: string }

/** Quarantines a feed that was not imported: with its text if it can still be published, otherwise with its invalid lines. */
export async function keepFeed(
  pool: Database,
  { name: source, licence, feed: kind }: FeedSource,
  fetched: FetchedFeed,
  fault: FeedError | GuardError,
): Promise<void> {
  const { text, ...rest } = fetched
  const about = { ...rest, source, licence, kind }
  if (fault instanceof FeedError) await holdFeed(pool, { ...about, faults: { lines: fault.faults, count: fault.faultyLines } })
  else await holdFeed(pool, { ...about, preview: fault.preview, body: await compress(text) })
}

/** Decompresses the text of a quarantined import. */
export const decompressText = async (body: Buffer): Promise<string> => (await expand(body)).toString()

/** Counts the feeds waiting for review, with the time of the oldest, for the admin overview. */
export async function waitingImports(pool: Database): Promise<{ count: number; oldest: Date | null }> {
  return countWaiting(pool)
}

const pieceLength = 1 << 20

/** Splits a string into chunks. `share` returns the fraction consumed so far, from 0 to 1. */
export function inPieces(text: string): { readonly pieces: AsyncGenerator<string>; readonly share: () => number } {
  let at = 0
  async function* pieces() {
    while (at < text.length) {
      const piece = text.slice(at, at + pieceLength)
      at += piece.length
      yield piece
    }
  }
  return { pieces: pieces(), share: () => (text === '' ? 1 : at / text.length) }
}
