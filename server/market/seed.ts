import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Dataset } from './dataset.ts'
import { type FeedFile, generateMarket } from './generate/generate-market.ts'
import { importFeed } from './import/import-feed.ts'
import { readSeedState } from './seed.store.ts'

/** The one word of a log that the seed says; a pino logger fits. */
export type SeedLog = { readonly info: (facts: Record<string, unknown>, message: string) => void }

const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)

/** In the order in which they can be imported. */
const sampleFiles = ['providers.ndjson', 'products.ndjson', 'cards.ndjson']

const demonstration = { products: 1500, days: 730, seed: 2026 }

async function readSample(): Promise<FeedFile[]> {
  return await Promise.all(sampleFiles.map(async (fileName) => ({ fileName, text: await readFile(new URL(fileName, sampleFolder), 'utf8') })))
}

async function importFiles(pool: Pool, dataset: Dataset, files: readonly FeedFile[], log: SeedLog): Promise<void> {
  for (const { fileName, text } of files) {
    const { kind, rows, added, changed, withdrawn } = await importFeed(pool, { source: text, fileName, dataset })
    log.info({ dataset, kind, rows, added, changed, withdrawn }, 'market seeded')
  }
}

/**
 * Makes sure that there is a market: the sample dataset as it comes with this release, and the demonstration market when live holds nothing.
 * A sample that was loaded once is not loaded again, so an operator's own sample stays; live data are never touched once there are any.
 */
export async function seedMarket(pool: Pool, { log }: { log: SeedLog }): Promise<void> {
  const sample = await readSample()
  const { imported } = await readSeedState(pool, 'sample')
  const missing = sample.filter(({ text }) => !imported.has(createHash('sha256').update(text).digest('hex')))
  await importFiles(pool, 'sample', missing, log)
  const live = await readSeedState(pool, 'live')
  if (live.isEmpty) await importFiles(pool, 'live', generateMarket(demonstration), log)
}
