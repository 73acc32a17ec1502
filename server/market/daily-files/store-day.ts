import { daysBefore } from '#server/api/contract/dates.ts'
import { keptDays } from '#server/api/contract/endpoint.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'
import { lastUkMorning, londonDay } from '../sources/calendar.ts'
import { compressLines, toBrotli } from './compressed-lines.ts'
import type { NewFile } from './daily-file.ts'

/**
 * Stores the market of a dataset as the files of a day. Returns false if the day is stored already: files never change. One statement writes all files, so that
 * several processes never store a mix.
 */
export async function storeDay(db: Database, dataset: Dataset, day: string, files: readonly NewFile[], now: number): Promise<boolean> {
  const data = []
  for (const { name, format, header, lines, updatedUntil } of files) {
    const common = { dataset, day: new Date(day), name, format, updatedUntil: updatedUntil === null ? null : new Date(updatedUntil), createdAt: new Date(now) }
    const compressed = await compressLines(lines, header)
    // Compressed once for all downloads, because Brotli takes tenths of a second for a large market.
    const brotli = format === 'rows' ? null : await toBrotli(compressed.content)
    data.push({ ...common, ...compressed, brotli, brotliBytes: brotli?.length ?? null })
  }
  return (await db.dailyFile.createMany({ data, skipDuplicates: true })).count > 0
}

/** Longest time after 07:30 in London for which files wait for the morning import. A source that fails is tried again for three hours. */
const maxImportMs = 5 * 3_600_000

/**
 * Returns the day (ISO date, London time) whose files must be stored now, or null. Files are stored once the morning import has ended, so that they contain
 * its changes. The live market doesn't wait if it has no files. The sample market does, because it changes at midnight UTC: before the morning it is no longer that
 * of the day before.
 */
export async function findDueDay(db: Database, dataset: Dataset, isImported: (now: number) => Promise<boolean>, now: number): Promise<string | null> {
  const day = londonDay(now)
  const newest = await db.dailyFile.findFirst({ where: { dataset }, orderBy: { day: 'desc' }, select: { day: true } })
  const morning = lastUkMorning(now)
  // Before the morning, the live market is that of the day before.
  if (newest === null) return dataset === 'live' || londonDay(morning) === day ? londonDay(morning) : null
  if (newest.day.getTime() >= Date.parse(day)) return null
  if (londonDay(morning) !== day) return null
  return now - morning >= maxImportMs || (await isImported(now)) ? day : null
}

/** Deletes old files. They are kept one day longer than they are offered, so that a download that has begun can end. */
export async function deleteOldFiles(db: Database, now: number): Promise<void> {
  await db.dailyFile.deleteMany({ where: { day: { lt: new Date(daysBefore(londonDay(now), keptDays + 1)) } } })
}
