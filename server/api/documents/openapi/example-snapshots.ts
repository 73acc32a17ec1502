import type { SnapshotRecord } from '#server/api/endpoints/snapshots/list-snapshots.endpoint.ts'
import { snapshotCredits } from '#server/api/endpoints/snapshots/snapshot-file.ts'

const day = '2026-11-21'
const updatedUntil = '2026-11-21T07:42:10.000Z'

/** Returns example rows of the list of files. They are fixed, because the files in the database change daily, and published documents must not. */
export function exampleSnapshots(publicUrl: string): SnapshotRecord[] {
  const times = { updatedUntil, createdAt: '2026-11-21T07:50:03.000Z' }
  const getUrl = (dataset: SnapshotRecord['dataset']) => `${publicUrl}/v1/snapshots/${dataset}?day=${day}`
  return [
    {
      ...{ dataset: 'rates', day, rows: 40, credits: snapshotCredits.rates, ...times, url: getUrl('rates') },
      ndjson: { etag: 'W/"2Xq0nV7cPZ4hTtq9mB1sKw"', bytes: 37_420, gzipBytes: 5_180 },
      csv: { etag: 'W/"k3Fh8wYdN0aLr6uEvCzQ5g"', bytes: 23_105, gzipBytes: 4_530 },
    },
    {
      ...{ dataset: 'providers', day, rows: 8, credits: snapshotCredits.providers, ...times, url: getUrl('providers') },
      ndjson: { etag: 'W/"Zt5mR2oXbJ9sVq1yGiKd7A"', bytes: 6_804, gzipBytes: 1_390 },
      csv: { etag: 'W/"u1Ne4cHpWf8TkLxQy6BoMg"', bytes: 3_652, gzipBytes: 1_210 },
    },
  ]
}
