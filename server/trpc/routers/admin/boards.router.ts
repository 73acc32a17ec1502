import { getLedgerChecks } from '#server/billing/ledger-checks.ts'
import { mailQueue } from '#server/email/email-queue.ts'
import { getQuality } from '#server/market/admin/quality.ts'
import { getRecentTraffic } from '#server/metering/traffic.ts'
import { queueDepth } from '#server/webhooks/queue-depth.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'

async function serviceBoard({ deps: { pool }, operations }: PortalContext) {
  const [traffic, mail, webhooks, checks, jobs, database] = await Promise.all([
    getRecentTraffic(pool),
    mailQueue(pool),
    queueDepth(pool),
    getLedgerChecks(pool),
    operations.jobRuns(),
    operations.databaseSize(),
  ])
  return { traffic, mail, webhooks, checks, jobs, database }
}

/** Dashboards of data quality and service health, read-only. */
export const adminBoardsRouter = router({
  quality: forAdmin.query(({ ctx }) => getQuality(ctx.market)),
  service: forAdmin.query(({ ctx }) => serviceBoard(ctx)),
})
