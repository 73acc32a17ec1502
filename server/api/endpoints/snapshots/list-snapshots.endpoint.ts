import { z } from 'zod'
import { keptDays } from '#server/api/contract/endpoint.ts'
import { queryEnum } from '#server/api/contract/query.ts'
import { fileNames, publishedFormats, type StoredFile } from '#server/market/daily-files/daily-file.ts'
import { defineWhole } from '../define.ts'
import { day, updatedAt } from '../record-fields.ts'
import { snapshotCredits, snapshotParameters } from './snapshot-file.ts'

const time = (meaning: string) => updatedAt.describe(`${meaning} ISO 8601 UTC.`)

const Format = z.object({
  etag: z
    .string()
    .meta({ examples: ['W/"2Xq0nV7cPZ4hTtq9mB1sKw"'] })
    .describe('ETag of the file.'),
  bytes: z.int().describe('Size in bytes, without compression.'),
  gzipBytes: z.int().describe('Size in bytes, compressed with gzip.'),
})

/** Schema of a snapshot in API responses. */
const SnapshotRecord = z.object({
  dataset: z.enum(fileNames).describe('List that the file contains, as in its path.'),
  day: day('Day of the market, UK time.'),
  rows: z.int().describe('Number of rows.'),
  credits: z.int().describe('Price of a download with a live key, in credits.'),
  updatedUntil: time('The file includes every change up to this time. Use it as the first updatedSince to keep a copy up to date. Null if unknown.').nullable(),
  createdAt: time('Time at which the file was stored.'),
  url: z.url().describe('URL of the file.'),
  ndjson: Format.describe('The file as NDJSON, the default.'),
  csv: Format.describe('The file as CSV.'),
})

export type SnapshotRecord = z.infer<typeof SnapshotRecord>

const toFormat = ({ etag, bytes, compressedBytes: gzipBytes }: StoredFile) => ({ etag, bytes, gzipBytes })

/** Converts the files of a list and day to the record of a snapshot; none if a format is missing. */
function toSnapshot(files: readonly StoredFile[], publicUrl: string): SnapshotRecord[] {
  const [ndjson, csv] = publishedFormats.map((wanted) => files.find(({ format }) => format === wanted))
  if (ndjson === undefined || csv === undefined) return []
  const { name: dataset, day, rows, updatedUntil, createdAt } = ndjson
  const url = `${publicUrl}/v1/snapshots/${dataset}?day=${day}`
  return [{ dataset, day, rows, credits: snapshotCredits[dataset], updatedUntil, createdAt, url, ndjson: toFormat(ndjson), csv: toFormat(csv) }]
}

export const listSnapshots = defineWhole({
  id: 'snapshots.list',
  no: 50,
  path: '/snapshots',
  tool: '',
  summary: 'List the daily snapshot files of the whole market, newest first.',
  description: `A file is stored each day after the morning import and kept for ${keptDays} days.`,
  when: 'to find the URL, size and price of a file with the whole market; download it with a plain HTTP client.',
  scope: 'any-key',
  price: { credits: 0, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({
    dataset: queryEnum(fileNames).optional().describe('Only files of this list.'),
    day: snapshotParameters.day.describe('Only files of this day, UK time.'),
  }),
  row: SnapshotRecord,
  handle: async ({ dataset, day }, { market, publicUrl }) => {
    const files = await market.files.list({ name: dataset, day })
    // The files are sorted by day, newest first.
    const days = [...Map.groupBy(files, (file) => file.day).values()]
    return days.flatMap((ofDay) =>
      fileNames.flatMap((wanted) =>
        toSnapshot(
          ofDay.filter(({ name }) => name === wanted),
          publicUrl,
        ),
      ),
    )
  },
})
