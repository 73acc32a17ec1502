import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyText } from './copy-text.ts'
import { copyFeed, createFeed } from './feed-sql.ts'
import type { Columns } from './feed-table.ts'
import type { OnProgress } from './progress.ts'
import type { FeedRecord } from './validate-feed.ts'

/**
 * Copies a feed into the temporary table `market_feed` while reading it, so that only one batch is in memory. Returns the number of records; the
 * batches throw validation faults at their end.
 */
export async function stageFeed(
  client: PoolClient,
  columns: Columns,
  batches: AsyncIterable<readonly FeedRecord[]>,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  await client.query(createFeed(columns))
  const fields = Object.values(columns).map(({ field }) => field)
  let count = 0
  async function* rows() {
    for await (const batch of batches) {
      count += batch.length
      if (batch.length > 0) yield copyText(batch, fields)
      onProgress('reading', count)
    }
  }
  await pipeline(Readable.from(rows(), { objectMode: false }), client.query(copyFrom(copyFeed(columns))))
  return count
}
