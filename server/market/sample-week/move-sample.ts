import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { databaseTimeMs } from '#server/db/database-probes.sql.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import type { FeedFile } from '../generate/generate-market.ts'
import { digest, importSeed, isOwn, NotOwnError, readSample, requireOwn, type SeedLog } from '../seed.ts'
import { getSampleDay } from './sample-week.ts'

const dataset = 'sample'

/** Returns the name under which a day's version of a file is recorded as an import. */
const recordedName = (fileName: string) => `day-${fileName}`
const kinds: Readonly<Record<string, string>> = { 'products.ndjson': 'product', 'switch-offers.ndjson': 'switch_offer' }

/** Thrown if a day ended before its files were imported. */
class DayEndedError extends Error {
  override name = 'DayEndedError'

  constructor(day: string) {
    super(`${day} ended before its sample files were imported.`)
  }
}

/** Thrown if another process has imported a file of the same kind since this process compared the files. */
class OvertakenError extends Error {
  override name = 'OvertakenError'
}

/** Time after midnight UTC from which another release may take over a sample market that hasn't been updated. A rolling upgrade takes less time. */
const takeOverMs = 3 * 3_600_000

/** Returns the last import with one of these file names, or null if there is none. `skip` is the number of newest imports to leave out. */
const findLast = (db: Db, kind: string, fileNames: string[], skip = 0) =>
  db.marketImport.findFirst({
    where: { dataset, isSeed: true, kind, fileName: { in: fileNames } },
    orderBy: { id: 'desc' },
    skip,
    select: { id: true, fileName: true, sha256: true, at: true },
  })

/** Returns the last import of a file if this release may replace it: it differs, and no newer release has seeded the market. */
async function findOutdated(db: Database, { fileName, text }: FeedFile, seedText: string) {
  const kind = kinds[fileName] ?? ''
  const last = await findLast(db, kind, [fileName, recordedName(fileName)])
  // If the market has not been seeded, there is nothing to change.
  if (last === null || last.sha256 === digest(text)) return null
  // During an upgrade, processes of both releases run. Each release seeds the market once, so the last seed is that of the newest release.
  const seed = await findLast(db, kind, [fileName])
  return seed?.sha256 === digest(seedText) ? last : null
}

async function importFile(db: Database, file: FeedFile, seedText: string, day: string, log: SeedLog, mayEnd: boolean): Promise<void> {
  const last = await findOutdated(db, file, seedText)
  if (last === null) return
  // Loaded on demand: every process checks the market when it starts, but only one a day changes it.
  const { importFeed } = await import('../import/import-feed.ts')
  const fileName = recordedName(file.fileName)
  // Writes no events at the first update after seeding, because it makes all changes since Monday at once.
  const feed = { source: file.text, fileName, dataset, isSeed: true, quiet: last.fileName !== fileName } as const
  const kind = kinds[file.fileName] ?? ''
  const { added, changed, withdrawn } = await importFeed(db, feed, async (tx, { changedAt }) => {
    if (mayEnd && changedAt !== null && isoDay(changedAt) !== day) throw new DayEndedError(day)
    await requireOwn(tx, dataset)
    // Skips the newest import, which is this one. If the one before it isn't `last`, another process has updated the market.
    if ((await findLast(tx, kind, [file.fileName, fileName], 1))?.id !== last.id) throw new OvertakenError()
  })
  log.info({ dataset, day, kind, added, changed, withdrawn }, 'Updated the sample market for the day.')
}

/**
 * Updates the sample market to its state for a day (ISO date, UTC). Does nothing if it already has that state, if an operator has imported other feeds into it,
 * or if a newer release has seeded it. Several processes can run it concurrently.
 */
export async function applySampleDay(db: Database, day: string, log: SeedLog, mayEnd = false): Promise<void> {
  if (!(await isOwn(db, dataset))) return
  const files = await readSample()
  const seedTexts = new Map(files.map(({ fileName, text }) => [fileName, text]))
  try {
    for (const file of getSampleDay(files, day)) {
      await importFile(db, file, seedTexts.get(file.fileName) ?? '', day, log, mayEnd).catch((error: unknown) => {
        if (!(error instanceof OvertakenError)) throw error
      })
    }
  } catch (error) {
    if (!(error instanceof NotOwnError)) throw error
  }
}

/**
 * Seeds the sample again if another release seeded it last but no longer updates it, for example after a rollback. This release then makes the later updates.
 */
export async function takeOverSample(db: Database, nowMs: number, log: SeedLog): Promise<void> {
  const midnight = Date.parse(isoDay(nowMs))
  const [fileName] = Object.keys(kinds)
  if (fileName === undefined || nowMs < midnight + takeOverMs) return
  const last = await findLast(db, 'product', [fileName, recordedName(fileName)])
  if (last === null || last.at.getTime() >= midnight || !(await isOwn(db, dataset))) return
  const files = await readSample()
  const seeds = await Promise.all(
    files.map(async (file) => {
      const kind = kinds[file.fileName]
      return kind === undefined || (await findLast(db, kind, [file.fileName]))?.sha256 === digest(file.text)
    }),
  )
  if (seeds.every(Boolean)) return
  log.info({ dataset }, 'Seeding the sample market again, because the release that seeded it last no longer updates it.')
  await importSeed(db, dataset, files, log).catch((error: unknown) => {
    if (!(error instanceof NotOwnError)) throw error
  })
}

/**
 * Updates the sample market to its state for the current day, according to the database's clock. If the day ends during the import, the import is rolled back,
 * so that a late process never undoes another's changes.
 */
export async function moveSample(db: Database, { log }: { readonly log: SeedLog }): Promise<void> {
  const readDay = async () => isoDay(await databaseTimeMs(db))
  await takeOverSample(db, await databaseTimeMs(db), log)
  try {
    await applySampleDay(db, await readDay(), log, true)
  } catch (error) {
    if (!(error instanceof DayEndedError)) throw error
    await applySampleDay(db, await readDay(), log)
  }
}

/** Returns the time of the sample market's next change: midnight UTC, according to the database's clock. */
export const nextSampleMove = async (db: Database): Promise<Date> => new Date(Date.parse(isoDay(await databaseTimeMs(db))) + dayMs)
