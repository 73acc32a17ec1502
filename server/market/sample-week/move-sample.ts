import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { databaseTimeMs } from '#server/db/database-probes.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import type { FeedFile } from '../generate/generate-market.ts'
import { digest, isOwn, readSample, type SeedLog } from '../seed.ts'
import { getSampleDay } from './sample-week.ts'

const dataset = 'sample'

/** Name of a file of a day in the import records. */
const recordedName = (fileName: string) => `day-${fileName}`
const kinds: Readonly<Record<string, string>> = { 'products.ndjson': 'product', 'switch-offers.ndjson': 'switch_offer' }

/** Thrown if a day ended before its files were imported. */
class DayEndedError extends Error {
  override name = 'DayEndedError'

  constructor(day: string) {
    super(`${day} ended before its sample files were imported.`)
  }
}

/** Thrown if an operator has imported other feeds while the files of a day were being read. */
class NotOwnError extends Error {
  override name = 'NotOwnError'
}

/** Returns the last import with one of these file names, or null if there is none. */
const findLast = (db: Database, kind: string, fileNames: string[]) =>
  db.marketImport.findFirst({
    where: { dataset, isSeed: true, kind, fileName: { in: fileNames } },
    orderBy: { id: 'desc' },
    select: { fileName: true, sha256: true },
  })

/** Returns the last import of a file if this release may replace it: it differs, and no newer release has seeded the market. */
async function findOutdated(db: Database, { fileName, text }: FeedFile, seedText: string) {
  const kind = kinds[fileName] ?? ''
  const last = await findLast(db, kind, [fileName, recordedName(fileName)])
  // Without the seed there is nothing to change.
  if (last === null || last.sha256 === digest(text)) return null
  // During an upgrade, processes of both releases run. Each release is seeded once, so the last seed is that of the newest.
  const seed = await findLast(db, kind, [fileName])
  return seed?.sha256 === digest(seedText) ? last : null
}

async function importFile(db: Database, file: FeedFile, seedText: string, day: string, log: SeedLog, mayEnd: boolean): Promise<void> {
  const last = await findOutdated(db, file, seedText)
  if (last === null) return
  // Loaded on demand, because every process that starts checks the market, and one a day changes it.
  const { importFeed } = await import('../import/import-feed.ts')
  const fileName = recordedName(file.fileName)
  // Writes no events when the market moves for the first time, because all its changes since Monday are then made at once.
  const feed = { source: file.text, fileName, dataset, isSeed: true, quiet: last.fileName !== fileName } as const
  const { kind, added, changed, withdrawn } = await importFeed(db, feed, async (tx, { changedAt }) => {
    if (mayEnd && changedAt !== null && isoDay(changedAt) !== day) throw new DayEndedError(day)
    // Checked again with the import lock, because an operator's import may have held it until now.
    if (!(await isOwn(tx, dataset))) throw new NotOwnError()
  })
  log.info({ dataset, day, kind, added, changed, withdrawn }, 'Updated the sample market for the day.')
}

/**
 * Changes the sample market to that of a day (ISO date, UTC). Does nothing if it is that of the day already, if an operator has imported other feeds into it, or
 * if a newer release has seeded it. Several processes can run it concurrently.
 */
export async function applySampleDay(db: Database, day: string, log: SeedLog, mayEnd = false): Promise<void> {
  if (!(await isOwn(db, dataset))) return
  const files = await readSample()
  const seedTexts = new Map(files.map(({ fileName, text }) => [fileName, text]))
  try {
    for (const file of getSampleDay(files, day)) await importFile(db, file, seedTexts.get(file.fileName) ?? '', day, log, mayEnd)
  } catch (error) {
    if (!(error instanceof NotOwnError)) throw error
  }
}

/**
 * Changes the sample market to that of the current day by the database's clock. If the day ends during the import, nothing of the old day is imported, so that a
 * process that is late never undoes the changes of another.
 */
export async function moveSample(db: Database, { log }: { readonly log: SeedLog }): Promise<void> {
  const readDay = async () => isoDay(await databaseTimeMs(db))
  try {
    await applySampleDay(db, await readDay(), log, true)
  } catch (error) {
    if (!(error instanceof DayEndedError)) throw error
    await applySampleDay(db, await readDay(), log)
  }
}

/** Returns the time of the next change of the sample market: midnight UTC, by the database's clock. */
export const nextSampleMove = async (db: Database): Promise<Date> => new Date(Date.parse(isoDay(await databaseTimeMs(db))) + dayMs)
