import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Database } from '#server/db/prisma.ts'
import { readSeedState, recordStamp } from './admin/imports.store.ts'
import type { FeedFile } from './generate/generate-market.ts'
import type { Dataset } from './product.ts'
import { londonDay } from './sources/calendar.ts'

/** Increment this when the same options generate different files. It is part of the stamp stored with a seeded market, so an outdated market is detected. */
const generatorVersion = 3

/** Minimal logger interface; a pino logger implements it. */
export type SeedLog = { readonly info: (fields: Record<string, unknown>, message: string) => void }

const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)

/** Sample feeds in import order. */
export const sampleFiles = ['providers', 'products', 'cards', 'switch-offers', 'account-offers', 'service-quality', 'rate-history'].map(
  (name) => `${name}.ndjson`,
)

const demonstration = { products: 1500, days: 730, seed: 2026 }

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Hash of the inputs of the demonstration market. Excludes the last day of the history, because that depends on when the market is first seeded. */
const demonstrationStamp = digest(`demonstration ${generatorVersion} ${JSON.stringify(demonstration)}`)

/** Feeds of a release. `stamp` identifies generated feeds, so that they needn't be generated again to see that they were imported; null for stored feeds. */
type Release = { readonly stamp: string | null; readonly read: () => readonly FeedFile[] | Promise<readonly FeedFile[]> }

async function readSample(): Promise<FeedFile[]> {
  return await Promise.all(sampleFiles.map(async (fileName) => ({ fileName, text: await readFile(new URL(fileName, sampleFolder), 'utf8') })))
}

/** Imports feeds. Loads the import code on demand, because there are feeds to import only once per release. */
async function importFeeds(pool: Database, dataset: Dataset, feeds: readonly FeedFile[], log: SeedLog): Promise<void> {
  const { importFeed } = await import('./import/import-feed.ts')
  for (const { fileName, text } of feeds) {
    const { kind, rows, added, changed, withdrawn } = await importFeed(pool, { source: text, fileName, dataset, isSeed: true })
    log.info({ dataset, kind, rows, added, changed, withdrawn }, 'Seeded the market.')
  }
}

/** Imports the feeds of a release that the dataset doesn't have yet, unless an operator has changed the dataset. */
async function bringUpToDate(pool: Database, dataset: Dataset, { stamp, read }: Release, log: SeedLog): Promise<void> {
  const { isOwn, imported } = await readSeedState(pool, dataset)
  if (!isOwn || (stamp !== null && imported.has(stamp))) return
  const missing = (await read()).filter(({ text }) => !imported.has(digest(text)))
  if (missing.length > 0) await importFeeds(pool, dataset, missing, log)
  if (stamp !== null) await recordStamp(pool, dataset, stamp)
}

const dayMs = 86_400_000

export type SeedSettings = { readonly log: SeedLog; readonly withDemonstration?: boolean; readonly now?: () => number }

/**
 * Seeds the market: the sample dataset and, unless disabled, the demonstration market in the live dataset, as shipped with this release. Each feed is
 * imported once. Once an import by an operator has changed a dataset, the seed no longer updates it.
 */
export async function seedMarket(pool: Database, { log, withDemonstration = true, now = Date.now }: SeedSettings): Promise<void> {
  await bringUpToDate(pool, 'sample', { stamp: null, read: readSample }, log)
  if (!withDemonstration) return
  const read = async () => {
    const { generateMarket } = await import('./generate/generate-market.ts')
    return generateMarket({ ...demonstration, until: londonDay(now() - dayMs) })
  }
  await bringUpToDate(pool, 'live', { stamp: demonstrationStamp, read }, log)
}
