import type { Pool } from 'pg'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { missing } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ConfiguredSource } from '../sources/configured.ts'
import type { FetchOptions } from '../sources/fetch-source.ts'
import { type RefreshReport, refreshNow } from '../statistics/refresh.ts'
import type { MarketDeps } from './market-deps.ts'
import { addOrder, nextOrder, settleOrder } from './source-orders.store.ts'

/** Asks the worker to fetch a source now, even if it isn't due. */
export async function orderSource({ pool, sources }: MarketDeps, by: AdminActor, source: string): Promise<void> {
  if (!sources.some((one) => one.source.name === source)) throw missing('source', source)
  await inTransaction(pool, async (client) => {
    if (!(await addOrder(client, source))) throw new FieldsError({ form: 'A fetch of this source is already pending.' })
    await writeAudit(client, { ...by, accountId: null, action: 'source.fetch', subject: source })
  })
}

function describeOutcome(report: RefreshReport | undefined): string {
  if (report === undefined || report.outcome === 'unchanged') return 'Unchanged since the last fetch.'
  if (report.outcome === 'failed') return report.error
  return `${report.values} rows, ${report.changed} new or changed.`
}

/**
 * Runs the pending fetch requests one after the other and records each outcome. If another process is fetching, they stay pending; if this
 * process dies, they are retried.
 */
export async function fetchOrders(pool: Pool, sources: readonly ConfiguredSource[], options: FetchOptions): Promise<readonly RefreshReport[]> {
  const reports: RefreshReport[] = []
  for (let order = await nextOrder(pool); order && !options.signal?.aborted; order = await nextOrder(pool)) {
    const name = order.source
    const wanted = sources.filter(({ source }) => source.name === name)
    if (wanted.length === 0) {
      await settleOrder(pool, order.id, "Not configured: the worker's MARKET_SOURCES does not include this source.")
      continue
    }
    const done = await refreshNow(pool, wanted, options).catch(async (error: unknown) => {
      // A request that fails unexpectedly must not be retried forever or block those after it. The error is logged as the job's failure.
      if (!options.signal?.aborted) await settleOrder(pool, order.id, 'Import failed. See the worker log.')
      throw error
    })
    if (done === undefined) return reports
    reports.push(...done)
    await settleOrder(pool, order.id, describeOutcome(done[0]))
  }
  return reports
}
