import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import type { FeedFile } from './generate/generate-market.ts'
import type { Dataset } from './product.ts'
import { londonDay } from './sources/calendar.ts'

/** Increment this when the same options generate different files. It is part of the stamp stored with a seeded market, so an outdated market is detected. */
const generatorVersion = 7

/** Minimal logger interface; a pino logger implements it. */
export type SeedLog = { readonly info: (fields: Record<string, unknown>, message: string) => void }

const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)

/** Sample feeds in import order. */
export const sampleFiles = ['providers', 'products', 'cards', 'switch-offers', 'account-offers', 'service-quality', 'rate-history'].map(
  (name) => `${name}.ndjson`,
)

const demonstration = { products: 1500, days: 730, seed: 2026 }

export const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Hash of the inputs of the demonstration market. Excludes the last day of the history, because that depends on when the market is first seeded. */
const demonstrationStamp = digest(`demonstration ${generatorVersion} ${JSON.stringify(demonstration)}`)

/**
 * Feeds of a release. `stamp` identifies generated feeds, so that they needn't be generated again just to check whether they were imported; null for stored
 * feeds.
 */
type Release = { readonly stamp: string | null; readonly read: () => readonly FeedFile[] | Promise<readonly FeedFile[]> }

/** Reads the sample files of this release. */
export async function readSample(): Promise<FeedFile[]> {
  return await Promise.all(sampleFiles.map(async (fileName) => ({ fileName, text: await readFile(new URL(fileName, sampleFolder), 'utf8') })))
}

/** Thrown if an operator imported other feeds while the release's feeds were being read. */
export class NotOwnError extends Error {
  override name = 'NotOwnError'
}

/** Checks with the import lock held that no operator has changed the dataset, because an operator's import may have held the lock until now. */
export async function requireOwn(tx: Transaction, dataset: Dataset): Promise<void> {
  if (!(await isOwn(tx, dataset))) throw new NotOwnError()
}

/**
 * Imports feeds of the seed. Loads the import code on demand, because feeds are imported only once per release.
 * @throws NotOwnError if an operator has changed the dataset
 */
export async function importSeed(pool: Database, dataset: Dataset, feeds: readonly FeedFile[], log: SeedLog): Promise<void> {
  const { importFeed } = await import('./import/import-feed.ts')
  for (const { fileName, text } of feeds) {
    const feed = { source: text, fileName, dataset, isSeed: true }
    const { kind, rows, added, changed, withdrawn } = await importFeed(pool, feed, (tx) => requireOwn(tx, dataset))
    log.info({ dataset, kind, rows, added, changed, withdrawn }, 'Seeded the market.')
  }
}

/** Returns true if the seed may update the dataset, because it is empty or only the seed has changed it. */
export async function isOwn(db: Db, dataset: Dataset): Promise<boolean> {
  const hasChanges = { OR: [{ added: { gt: 0 } }, { changed: { gt: 0 } }, { withdrawn: { gt: 0 } }] }
  if ((await db.marketImport.findFirst({ where: { dataset, isSeed: false, ...hasChanges }, select: { id: true } })) === null) return true
  const [product, provider] = [await db.product.findFirst({ where: { dataset } }), await db.provider.findFirst({ where: { dataset } })]
  return product === null && provider === null
}

/** Returns the given hashes that match feeds already imported into the dataset. */
async function findImported(db: Database, dataset: Dataset, hashes: string[]): Promise<ReadonlySet<string>> {
  const where = { dataset, sha256: { in: hashes } }
  return new Set((await db.marketImport.groupBy({ by: ['sha256'], where })).map(({ sha256 }) => sha256))
}

/** Imports the feeds of a release that have not been imported into the dataset yet, unless an operator has changed the dataset. */
async function bringUpToDate(db: Database, dataset: Dataset, { stamp, read }: Release, log: SeedLog): Promise<void> {
  if (!(await isOwn(db, dataset))) return
  if (stamp !== null && (await findImported(db, dataset, [stamp])).has(stamp)) return
  const feeds = await read()
  const hashes = feeds.map(({ text }) => digest(text))
  const imported = await findImported(db, dataset, hashes)
  const missing = feeds.filter((_, index) => !imported.has(hashes[index] ?? ''))
  // The sample market changes every day, but its history must end with the products in the files, so all files are imported again.
  if (missing.length > 0) await importSeed(db, dataset, dataset === 'sample' ? feeds : missing, log)
  if (stamp === null) return
  const nothing = { rows: 0, added: 0, changed: 0, withdrawn: 0 }
  const data = { dataset, kind: 'seed', fileName: 'demonstration', sha256: stamp, ...nothing, isSeed: true, at: new Date(clock.now()) }
  await db.marketImport.create({ data, select: { id: true } })
}

export type SeedSettings = { readonly log: SeedLog; readonly withDemonstration?: boolean; readonly now?: () => number }

/**
 * Seeds the market: the sample dataset and, unless disabled, the demonstration market in the live dataset, as shipped with this release. Each feed is
 * imported once. Once an import by an operator has changed a dataset, the seed no longer updates it.
 */
export async function seedMarket(pool: Database, { log, withDemonstration = true, now = Date.now }: SeedSettings): Promise<void> {
  const update = (dataset: Dataset, release: Release) =>
    bringUpToDate(pool, dataset, release, log).catch((error: unknown) => {
      if (!(error instanceof NotOwnError)) throw error
    })
  await update('sample', { stamp: null, read: readSample })
  if (!withDemonstration) return
  const read = async () => {
    const { generateMarket } = await import('./generate/generate-market.ts')
    return generateMarket({ ...demonstration, until: londonDay(now() - dayMs) })
  }
  await update('live', { stamp: demonstrationStamp, read })
}
