import { daysBefore } from '#server/api/contract/dates.ts'
import { keptDays } from '#server/api/contract/endpoint.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'
import { lastUkMorning, londonDay } from '../sources/calendar.ts'
import { compressLines, toBrotli } from './compressed-lines.ts'
import type { NewFile } from './daily-file.ts'

/**
 * Stores the market of a dataset as the files of a day. Returns false if the day is already stored, because files never change. One statement writes all files,
 * so that the files of a day always come from one process.
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

/** Maximum time after 07:30 (UK time) to wait for the morning import before storing the files. A failed source is retried for three hours. */
const maxImportMs = 5 * 3_600_000

/**
 * Returns the day (ISO date, London time) whose files must be stored now, or null. Files are stored once the morning import has ended, so that they contain its
 * changes. If the live market has no files, they are stored without waiting. The sample market changes at midnight UTC, so before the import it no longer
 * matches the previous day, and its first files are stored afterwards.
 */
export async function findDueDay(db: Database, dataset: Dataset, isImported: (now: number) => Promise<boolean>, now: number): Promise<string | null> {
  const day = londonDay(now)
  const newest = await db.dailyFile.findFirst({ where: { dataset }, orderBy: { day: 'desc' }, select: { day: true } })
  const morning = lastUkMorning(now)
  // Before the morning import, the live market is that of the previous day.
  if (newest === null) return dataset === 'live' || londonDay(morning) === day ? londonDay(morning) : null
  if (newest.day.getTime() >= Date.parse(day)) return null
  if (londonDay(morning) !== day) return null
  return now - morning >= maxImportMs || (await isImported(now)) ? day : null
}

/** Deletes old files. They are kept one day longer than they are listed, so that downloads in progress can finish. */
export async function deleteOldFiles(db: Database, now: number): Promise<void> {
  await db.dailyFile.deleteMany({ where: { day: { lt: new Date(daysBefore(londonDay(now), keptDays + 1)) } } })
}
