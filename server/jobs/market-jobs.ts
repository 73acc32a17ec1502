import { clock } from '#server/clock.ts'
import { fetchOrders } from '#server/market/admin/source-orders.ts'
import { endDueCorrections } from '#server/market/corrections/correct-product.ts'
import type { Job } from './job.ts'
import { type RefreshMarketOptions, refreshMarketJob, reportFetch } from './refresh-market.job.ts'

/** Scheduled jobs for market data: the morning's imports, refetches requested by administrators, and ending corrections that are due. */
export function marketJobs(options: RefreshMarketOptions): Job[] {
  const { sources, contact, log } = options
  return [
    refreshMarketJob(options),
    {
      name: 'market.orders',
      everyMs: 1_000,
      run: async (pool, signal) => {
        for (const one of await fetchOrders(pool, sources, { contact, now: () => clock.now(), signal })) reportFetch(log, one)
      },
    },
    { name: 'market.end-corrections', everyMs: 30_000, run: (pool, signal) => endDueCorrections(pool, clock.now(), signal) },
  ]
}
