import { accountsInDebt, askedWebhooks, waitingReviews } from '../../../review/queue.ts'
import { forAdmin, router } from '../../procedures.ts'

/** What somebody at the desk has to look at: how many, and since when the first of them waits. A line a kind; its words and its page stand in components/admin/desk-now.tsx. */
export const deskNowRouter = router({
  list: forAdmin.query(async ({ ctx: { room } }) => {
    const [review, webhooks, debt] = await Promise.all([waitingReviews(room.pool), askedWebhooks(room.pool), accountsInDebt(room.pool)])
    return { review, webhooks, debt }
  }),
})
