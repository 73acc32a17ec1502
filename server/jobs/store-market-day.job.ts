import { databaseTimeMs } from '#server/db/database-probes.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import type { NewFile } from '#server/market/daily-files/daily-file.ts'
import { deleteOldFiles, findDueDay, storeDay } from '#server/market/daily-files/store-day.ts'
import { type Dataset, datasets } from '#server/market/product.ts'
import type { ConfiguredSource } from '#server/market/sources/sources.ts'
import { isMorningDone } from '#server/market/statistics/refresh.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './runner.ts'

/** Returns the files of a dataset, with the current market. */
export type ReadFiles = (dataset: Dataset) => Promise<readonly NewFile[]>

type Options = { readonly read: ReadFiles; readonly sources: readonly ConfiguredSource[]; readonly log: Log }

/**
 * Stores each day's market once the morning import has finished, and deletes old files. Several processes may run it concurrently: the first to finish stores
 * the day.
 */
export function storeMarketDayJob({ read, sources, log }: Options): Job {
  const feeds = sources.filter(({ source }) => source.kind === 'feed')
  const run = async (pool: Database, signal: AbortSignal) => {
    for (const dataset of datasets) {
      if (signal.aborted) return
      // Uses the database's clock, because a stored day is never replaced and deletion is permanent.
      const now = await databaseTimeMs(pool)
      const day = await findDueDay(pool, dataset, (at) => isMorningDone(pool, feeds, at), now)
      if (day === null) continue
      const isNew = await storeDay(pool, dataset, day, await read(dataset), now)
      if (isNew) log.info({ dataset, day }, "Stored the day's market.")
    }
    await deleteOldFiles(pool, await databaseTimeMs(pool))
  }
  return { name: 'market.store-day', everyMinutes: 10, run }
}
