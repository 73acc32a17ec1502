import { countAsked, countInDebt, countWaiting, findTopCallers, findTopErrors, readTrends } from '#server/admin/review/review.sql.ts'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { publicFigures } from '#server/api/documents/site/service-status.ts'
import { countOpenProposals } from '#server/billing/adjustment-list.ts'
import { getLedgerChecks } from '#server/billing/billing-checks.ts'
import { clock } from '#server/clock.ts'
import { databaseSize } from '#server/db/database-probes.sql.ts'
import { readEmailQueue, readJobRuns } from '#server/db/queues.sql.ts'
import { getMorning } from '#server/market/admin/imports.ts'
import type { ServedMarketDeps } from '#server/market/admin/market-deps.ts'
import { getQuality, qualityFaults } from '#server/market/admin/quality.ts'
import { waitingImports } from '#server/market/import/quarantined-imports.ts'
import { operationName } from '#server/metering/log-filter.ts'
import { getRecentTraffic } from '#server/metering/traffic.ts'
import { countUnresolved } from '#server/status/incidents.ts'
import { countOpenTickets } from '#server/support/ticket-queue.ts'
import { waitingFailures } from '#server/webhooks/deliveries.ts'
import { queueDepth } from '#server/webhooks/queue.sql.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'

async function serviceBoard({ deps: { pool } }: PortalContext) {
  const day = isoDay(clock.now())
  const [callers, weekCallers, errors, traffic, mail, webhooks, checks, jobs, database] = await Promise.all([
    findTopCallers(pool, day, day),
    findTopCallers(pool, isoDay(clock.now() - 6 * dayMs), day),
    findTopErrors(pool, day),
    getRecentTraffic(pool),
    readEmailQueue(pool),
    queueDepth(pool),
    getLedgerChecks(pool),
    readJobRuns(pool),
    databaseSize(pool),
  ])
  const today = { callers, errors: errors.map(({ endpoint, ...row }) => ({ ...row, endpoint: operationName(operations, endpoint) })) }
  return { today, weekCallers, traffic, mail, webhooks, checks, jobs, database }
}

/** Returns the public figures with their freshness, as on the status page. */
export const getFigures = ({ statistics }: ServedMarketDeps) => publicFigures({ live: { statistics: statistics() } })

const getStaleFigures = (market: ServedMarketDeps) => getFigures(market).filter(({ isStale }) => isStale)

/** Counts the public figures that are out of date, and returns the date of the oldest. */
function countStaleFigures(market: ServedMarketDeps) {
  const stale = getStaleFigures(market)
  const [oldest = null] = stale.flatMap(({ asOf }) => asOf ?? []).toSorted()
  return { count: stale.length, oldest: oldest === null ? null : new Date(oldest) }
}

/** Read-only dashboards for data quality and service health. */
export const adminBoardsRouter = router({
  quality: forAdmin.query(async ({ ctx }) => ({ ...(await getQuality(ctx.market)), figures: getStaleFigures(ctx.market) })),
  service: forAdmin.query(({ ctx }) => serviceBoard(ctx)),
})

/** Counts the sources whose fetches have failed since the morning, and returns the time of the oldest failure. */
async function countFailedSources(market: ServedMarketDeps) {
  const failed = (await getMorning(market)).sources.filter(({ state }) => state === 'failed').flatMap(({ triedAt }) => triedAt ?? [])
  return { count: failed.length, oldest: failed.length === 0 ? null : new Date(Math.min(...failed.map(Number))) }
}

/** Open tasks by kind: the number of tasks and the time of the oldest. Labels and links are in components/admin/overview.tsx. */
export const adminNowRouter = router({
  /** Returns daily figures of the last 14 UTC days, oldest first. */
  trends: forAdmin.query(({ ctx }) => readTrends(ctx.db, isoDay(clock.now() - 13 * dayMs), isoDay(clock.now()))),
  list: forAdmin.query(async ({ ctx: { deps, webhooks, market } }) => {
    const { pool } = deps
    const [incidents, failedSources, tickets, imports, review, proposals, asked, debt, dead, quality] = await Promise.all([
      countUnresolved(pool),
      countFailedSources(market),
      countOpenTickets(pool),
      waitingImports(pool),
      countWaiting(pool),
      countOpenProposals(pool),
      countAsked(pool),
      countInDebt(pool),
      waitingFailures(webhooks, 'dead'),
      qualityFaults(pool, clock.now()),
    ])
    return { incidents, failedSources, figures: countStaleFigures(market), tickets, imports, review, proposals, asked, debt, dead, quality }
  }),
})
