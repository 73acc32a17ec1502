import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { isoDay } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { FeedSource } from '../sources/source.ts'
import { FeedError, type FeedFault } from './feed-faults.ts'
import type { GuardError } from './guard.ts'
import type { FeedPreview } from './row-change.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Validation errors of a feed: the first invalid lines, and the total. */
export type FeedFaults = { readonly lines: readonly FeedFault[]; readonly count: number }

type Origin = Pick<Prisma.QuarantinedImportModel, 'source' | 'url' | 'licence' | 'kind' | 'fileName' | 'sha256' | 'etag' | 'lastModified'>

/** Feed that was fetched but not imported. `fetchedAt` and `asOf` are in ISO 8601; `body` is the gzipped text of the feed if it can be published. */
export type FeedToHold = Origin & { readonly asOf: string; readonly fetchedAt: string } & (
    | { readonly preview: FeedPreview; readonly body: Buffer }
    | { readonly faults: FeedFaults }
  )

/** Fetched feed with its metadata. */
export type FetchedFeed = Pick<FeedToHold, 'url' | 'fileName' | 'sha256' | 'etag' | 'lastModified' | 'asOf' | 'fetchedAt'> & { readonly text: string }

type HeldState = 'waiting' | 'refused' | 'published' | 'declined' | 'replaced'

const toSettled = (state: HeldState) => ({ state, settledAt: new Date(clock.now()), body: null })

const toJson = (value: FeedPreview | FeedFaults) => value as unknown as Prisma.InputJsonObject

/** Closes the quarantined import of a source, because a newer feed has arrived or been imported. */
export async function replaceHeld(db: Db, source: string): Promise<void> {
  await db.quarantinedImport.updateMany({ where: { source, settledAt: null }, data: toSettled('replaced') })
}

/**
 * Quarantines a feed, replacing the open quarantined import of its source. If the open import is the same feed, its row is updated. If the latest import was
 * the same feed and was declined, nothing is stored.
 */
export async function holdFeed(db: Database, feed: FeedToHold): Promise<void> {
  const { source, sha256 } = feed
  const fetchedAt = new Date(feed.fetchedAt)
  const content = 'preview' in feed ? { preview: toJson(feed.preview) } : {}
  await inTransaction(db, async (tx) => {
    const { count } = await tx.quarantinedImport.updateMany({ where: { source, sha256, settledAt: null }, data: { fetchedAt, ...content } })
    if (count > 0) return
    const last = await tx.quarantinedImport.findFirst({ where: { source }, orderBy: { id: 'desc' }, select: { state: true, sha256: true } })
    if (last?.state === 'declined' && last.sha256 === sha256) return
    await replaceHeld(tx, source)
    const held = 'preview' in feed ? { state: 'waiting', body: new Uint8Array(feed.body), ...content } : { state: 'refused', faults: toJson(feed.faults) }
    const { url, licence, kind, fileName, etag, lastModified } = feed
    const origin = { source, sha256, url, licence, kind, fileName, etag, lastModified, asOf: new Date(feed.asOf), fetchedAt }
    await tx.quarantinedImport.create({ data: { ...origin, ...held }, select: { id: true } })
  })
}

/** Quarantines a feed that was not imported: stores its text if it can still be published, otherwise its invalid lines. */
export async function keepFeed(
  db: Database,
  { name: source, licence, feed: kind }: FeedSource,
  fetched: FetchedFeed,
  fault: FeedError | GuardError,
): Promise<void> {
  const { text, ...rest } = fetched
  const about = { ...rest, source, licence, kind }
  if (fault instanceof FeedError) await holdFeed(db, { ...about, faults: { lines: fault.faults, count: fault.faultyLines } })
  else await holdFeed(db, { ...about, preview: fault.preview, body: await compress(text) })
}

/** Fetched feed that was quarantined for review instead of imported. */
export type QuarantinedImport = Pick<Prisma.QuarantinedImportModel, 'id' | 'fetchedAt' | 'settledAt' | 'asOf'> & {
  readonly state: HeldState
  readonly preview: FeedPreview | null
  readonly faults: FeedFaults | null
}

/** Returns the latest quarantined import of a source; null if there is none. */
export async function newestHeld(db: Db, source: string): Promise<QuarantinedImport | null> {
  const select = { id: true, state: true, fetchedAt: true, settledAt: true, asOf: true, preview: true, faults: true } as const
  return (await db.quarantinedImport.findFirst({ where: { source }, orderBy: { id: 'desc' }, select })) as QuarantinedImport | null
}

const maxOpen = 100

/** Returns the open quarantined imports (waiting or rejected), at most one per source. Excludes the previews, which can be large. */
export const openHeld = (db: Db): Promise<{ source: string; url: string; state: string }[]> =>
  db.quarantinedImport.findMany({ where: { settledAt: null }, take: maxOpen, select: { source: true, url: true, state: true } })

export type WaitingFeed = NonNullable<Awaited<ReturnType<typeof waitingFeed>>>

/** Returns a feed that is waiting for review, with its text; null if it is no longer waiting. */
export async function waitingFeed(db: Db, id: number) {
  const select = { source: true, url: true, licence: true, fileName: true, sha256: true, etag: true, lastModified: true, asOf: true } as const
  const found = await db.quarantinedImport.findUnique({ where: { id, state: 'waiting' }, select: { ...select, preview: true, body: true } })
  if (!found?.body) return null
  const { body, preview, asOf, ...feed } = found
  return { ...feed, asOf: isoDay(asOf), preview: preview as unknown as FeedPreview, text: (await expand(body)).toString() }
}

/** Marks a waiting feed as published or declined; returns false if it was no longer waiting. */
export async function settleWaiting(tx: Transaction, id: number, state: 'published' | 'declined'): Promise<boolean> {
  return (await tx.quarantinedImport.updateMany({ where: { id, state: 'waiting' }, data: toSettled(state) })).count === 1
}

export async function renewPreview(db: Db, id: number, preview: FeedPreview): Promise<void> {
  await db.quarantinedImport.updateMany({ where: { id, state: 'waiting' }, data: { preview: toJson(preview) } })
}

/** Returns the number of feeds waiting for review and the time of the oldest, for the admin overview. */
export async function waitingImports(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const found = await db.quarantinedImport.aggregate({ where: { settledAt: null, state: 'waiting' }, _count: true, _min: { fetchedAt: true } })
  return { count: found._count, oldest: found._min.fetchedAt }
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
