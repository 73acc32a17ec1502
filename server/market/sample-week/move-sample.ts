import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { databaseTimeMs } from '#server/db/database-probes.sql.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import type { FeedFile } from '../generate/generate-market.ts'
import { digest, importSeed, isOwn, NotOwnError, readSample, requireOwn, type SeedLog } from '../seed.ts'
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

/** Thrown if another process has imported a file of the same kind since this one compared it. */
class OvertakenError extends Error {
  override name = 'OvertakenError'
}

/** Time after midnight UTC from which another release may take over a sample market that hasn't been updated. A rolling upgrade takes less time. */
const takeOverMs = 3 * 3_600_000

/** Returns the last import with one of these file names, or null if there is none. `skip` leaves out the newest. */
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
  const kind = kinds[file.fileName] ?? ''
  const { added, changed, withdrawn } = await importFeed(db, feed, async (tx, { changedAt }) => {
    if (mayEnd && changedAt !== null && isoDay(changedAt) !== day) throw new DayEndedError(day)
    await requireOwn(tx, dataset)
    // The newest import is this one. If another came before it, a process of this or a newer release has moved the market.
    if ((await findLast(tx, kind, [file.fileName, fileName], 1))?.id !== last.id) throw new OvertakenError()
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
 * Seeds the sample again if another release has seeded it since and no longer moves it, as after a return to an older release. Later moves are then those of this
 * release.
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
  log.info({ dataset }, 'Seeding the sample market again, because the release that seeded it last no longer moves it.')
  await importSeed(db, dataset, files, log).catch((error: unknown) => {
    if (!(error instanceof NotOwnError)) throw error
  })
}

/**
 * Changes the sample market to that of the current day by the database's clock. If the day ends during the import, nothing of the old day is imported, so that a
 * process that is late never undoes the changes of another.
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

/** Returns the time of the next change of the sample market: midnight UTC, by the database's clock. */
export const nextSampleMove = async (db: Database): Promise<Date> => new Date(Date.parse(isoDay(await databaseTimeMs(db))) + dayMs)
