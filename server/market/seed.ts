import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Dataset } from './dataset.ts'
import type { FeedFile } from './generate/generate-market.ts'
import { generatorVersion } from './generate/generator-version.ts'
import { readSeedState, recordStamp } from './seed.store.ts'
import { londonDay } from './sources/calendar.ts'

/** The one word of a log that the seed says; a pino logger fits. */
export type SeedLog = { readonly info: (facts: Record<string, unknown>, message: string) => void }

const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)

/** In the order in which they can be imported. */
export const sampleFiles = ['providers', 'products', 'cards', 'switch-offers', 'account-offers', 'service-quality', 'rate-history'].map(
  (name) => `${name}.ndjson`,
)

const demonstration = { products: 1500, days: 730, seed: 2026 }

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** What the demonstration market is made of, but for the day on which its history ends: that is the day before it is first seeded. */
const demonstrationStamp = digest(`demonstration ${generatorVersion} ${JSON.stringify(demonstration)}`)

/** The feeds that come with a release. A stamp stands for all of them, so that they need not be made to see that they are known. */
type Release = { readonly stamp: string | null; readonly read: () => readonly FeedFile[] | Promise<readonly FeedFile[]> }

async function readSample(): Promise<FeedFile[]> {
  return await Promise.all(sampleFiles.map(async (fileName) => ({ fileName, text: await readFile(new URL(fileName, sampleFolder), 'utf8') })))
}

/** What takes feeds in is loaded when there are some, which is once for a release. */
async function takeIn(pool: Pool, dataset: Dataset, feeds: readonly FeedFile[], log: SeedLog): Promise<void> {
  const { importFeed } = await import('./import/import-feed.ts')
  for (const { fileName, text } of feeds) {
    const { kind, rows, added, changed, withdrawn } = await importFeed(pool, { source: text, fileName, dataset, isSeed: true })
    log.info({ dataset, kind, rows, added, changed, withdrawn }, 'market seeded')
  }
}

/** Takes in the feeds of a release that the dataset has not seen yet, unless someone else has changed it: then it is theirs. */
async function bringUpToDate(pool: Pool, dataset: Dataset, { stamp, read }: Release, log: SeedLog): Promise<void> {
  const { isOwn, imported } = await readSeedState(pool, dataset)
  if (!isOwn || (stamp !== null && imported.has(stamp))) return
  const missing = (await read()).filter(({ text }) => !imported.has(digest(text)))
  if (missing.length > 0) await takeIn(pool, dataset, missing, log)
  if (stamp !== null) await recordStamp(pool, dataset, stamp)
}

const dayMs = 86_400_000

export type SeedSettings = { readonly log: SeedLog; readonly withDemonstration?: boolean; readonly now?: () => number }

/**
 * Makes sure that there is a market: the sample dataset and, in live unless it is left out, the demonstration market, both as they come with this release. A
 * feed that was loaded once is not loaded again. From the first import of an operator that changes a dataset on, the seed leaves it alone.
 */
export async function seedMarket(pool: Pool, { log, withDemonstration = true, now = Date.now }: SeedSettings): Promise<void> {
  await bringUpToDate(pool, 'sample', { stamp: null, read: readSample }, log)
  if (!withDemonstration) return
  const read = async () => {
    const { generateMarket } = await import('./generate/generate-market.ts')
    return generateMarket({ ...demonstration, until: londonDay(now() - dayMs) })
  }
  await bringUpToDate(pool, 'live', { stamp: demonstrationStamp, read }, log)
}
