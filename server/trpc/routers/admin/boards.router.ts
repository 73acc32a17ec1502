import { countAsked, countInDebt, countWaiting } from '#server/admin/review/review.sql.ts'
import { countOpenProposals } from '#server/billing/adjustment-list.ts'
import { getLedgerChecks } from '#server/billing/billing-checks.ts'
import { clock } from '#server/clock.ts'
import { databaseSize } from '#server/db/database-probes.sql.ts'
import { readEmailQueue, readJobRuns } from '#server/db/queues.sql.ts'
import { getQuality, qualityFaults } from '#server/market/admin/quality.ts'
import { waitingImports } from '#server/market/import/quarantined-imports.ts'
import { getRecentTraffic } from '#server/metering/traffic.ts'
import { countOpenTickets } from '#server/support/ticket-queue.ts'
import { waitingFailures } from '#server/webhooks/deliveries.ts'
import { queueDepth } from '#server/webhooks/queue.sql.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'

async function serviceBoard({ deps: { pool } }: PortalContext) {
  const [traffic, mail, webhooks, checks, jobs, database] = await Promise.all([
    getRecentTraffic(pool),
    readEmailQueue(pool),
    queueDepth(pool),
    getLedgerChecks(pool),
    readJobRuns(pool),
    databaseSize(pool),
  ])
  return { traffic, mail, webhooks, checks, jobs, database }
}

/** Read-only dashboards for data quality and service health. */
export const adminBoardsRouter = router({
  quality: forAdmin.query(({ ctx }) => getQuality(ctx.market)),
  service: forAdmin.query(({ ctx }) => serviceBoard(ctx)),
})

/** Open tasks by kind: the number of tasks and the time of the oldest. Labels and links are in components/admin/admin-overview.tsx. */
export const adminNowRouter = router({
  list: forAdmin.query(async ({ ctx: { deps, webhooks } }) => {
    const { pool } = deps
    const [tickets, imports, review, proposals, asked, debt, dead, quality] = await Promise.all([
      countOpenTickets(pool),
      waitingImports(pool),
      countWaiting(pool),
      countOpenProposals(pool),
      countAsked(pool),
      countInDebt(pool),
      waitingFailures(webhooks, 'dead'),
      qualityFaults(pool, clock.now()),
    ])
    return { tickets, imports, review, proposals, asked, debt, dead, quality }
  }),
})
