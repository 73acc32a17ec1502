import { waitingProposals } from '../../../billing/adjustments.ts'
import { clock } from '../../../clock.ts'
import { qualityFaults } from '../../../market/admin/quality.ts'
import { waitingImports } from '../../../market/import/held-feeds.ts'
import { accountsInDebt, askedWebhooks, waitingReviews } from '../../../review/queue.ts'
import { waitingFailures } from '../../../webhooks/failures.ts'
import { forAdmin, router } from '../../procedures.ts'

/** What somebody at the desk has to look at: how many, and since when the first of them waits. The words and the page of each stand in components/admin/desk-now.tsx. */
export const deskNowRouter = router({
  list: forAdmin.query(async ({ ctx: { room, webhooks } }) => {
    const { pool } = room
    const [imports, review, proposals, asked, debt, dead, quality] = await Promise.all([
      waitingImports(pool),
      waitingReviews(pool),
      waitingProposals(pool),
      askedWebhooks(pool),
      accountsInDebt(pool),
      waitingFailures(webhooks, 'dead'),
      qualityFaults(pool, clock.now()),
    ])
    return { imports, review, proposals, asked, debt, dead, quality }
  }),
})
