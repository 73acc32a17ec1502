import type { ApiFile, ApiFiles } from '#server/api/contract/api-file.ts'
import { keptDays } from '#server/api/contract/endpoint.ts'
import { notFound } from '#server/api/contract/errors.ts'
import { queryDay } from '#server/api/contract/query.ts'
import type { DailyFiles, FileName, PublishedFormat, StoredFile } from '#server/market/daily-files/daily-file.ts'

/**
 * Prices of the files in credits. Together they cost less than reading every provider with its products (one credit each), so that doing so is never cheaper;
 * docs/decisions/0041 has the figures.
 */
export const snapshotCredits = { rates: 100, providers: 10, 'switch-offers': 10 } as const satisfies Record<FileName, number>

/** Parameters of every file. */
export const snapshotParameters = {
  day: queryDay.optional().describe(`Date, UK time: today or up to ${keptDays} days ago, as listed by /snapshots. Default: the latest.`),
}

export const snapshotDescription =
  'One JSON object per line, or CSV with `Accept: text/csv`, compressed with gzip or Brotli if you accept it. Rows have the same fields as in the list, without fields that depend on the plan. To keep a copy up to date, pass the value of the header X-SVC-Updated-Until to the list as updatedSince.'

/** Maximum time to find a file, which queries the database, in milliseconds. */
export const snapshotTimeoutMs = 5_000

function toApiFile(files: DailyFiles, file: StoredFile): ApiFile {
  const { name, format, day, rows, bytes, brotliBytes, etag, updatedUntil, createdAt } = file
  return {
    ...{ name: `${name}-${day}.${format}`, etag, bytes, createdAt, updatedUntil },
    headers: ['X-SVC-Snapshot-Day', day, 'X-SVC-Rows', String(rows)],
    codings: brotliBytes === null ? ['gzip'] : ['br', 'gzip'],
    read: (coding) => files.read(file, coding),
  }
}

/** Returns the files of a list for a day, or of the newest day. @throws RefusedError (404) if they aren't stored. */
export async function getSnapshot(files: DailyFiles, name: FileName, day: string | undefined): Promise<ApiFiles> {
  const stored = await files.list({ name, day })
  const newest = stored[0]?.day
  const find = (wanted: PublishedFormat) => stored.find((file) => file.format === wanted && file.day === newest)
  const [ndjson, csv] = [find('ndjson'), find('csv')]
  if (ndjson && csv) return { ndjson: toApiFile(files, ndjson), csv: toApiFile(files, csv) }
  throw notFound(`No snapshot is stored ${day === undefined ? 'yet' : `for ${day}`}. See /snapshots for the available days.`)
}
