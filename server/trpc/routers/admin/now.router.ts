import { accountsInDebt, askedWebhooks, waitingReviews } from '#server/admin/review/queue.ts'
import { countOpenProposals } from '#server/billing/adjustments.ts'
import { clock } from '#server/clock.ts'
import { qualityFaults } from '#server/market/admin/quality.ts'
import { waitingImports } from '#server/market/import/quarantined-imports.ts'
import { waitingFailures } from '#server/webhooks/failures.ts'
import { forAdmin, router } from '../../procedures.ts'

/** Open work: number of items by kind and the time of the oldest. Labels and links are in components/admin/admin-overview.tsx. */
export const adminNowRouter = router({
  list: forAdmin.query(async ({ ctx: { deps, webhooks } }) => {
    const { pool } = deps
    const [imports, review, proposals, asked, debt, dead, quality] = await Promise.all([
      waitingImports(pool),
      waitingReviews(pool),
      countOpenProposals(pool),
      askedWebhooks(pool),
      accountsInDebt(pool),
      waitingFailures(webhooks, 'dead'),
      qualityFaults(pool, clock.now()),
    ])
    return { imports, review, proposals, asked, debt, dead, quality }
  }),
})
