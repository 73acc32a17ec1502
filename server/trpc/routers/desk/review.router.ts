import { z } from 'zod'
import { approveAsAdmin, declineAsAdmin } from '#server/accounts/admin-changes.ts'
import { candidateOf, reviewQueue } from '#server/admin/review/queue.ts'
import { reviewLetter } from '#server/admin/review/review-letter.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { aboutAccount } from './about-account.ts'
import { deedOf, Why } from './deed.ts'
import { Reason } from './told.ts'

const Page = z.object({ after: PublicId.nullable() })

/** Accounts that wait for live access. What tells one from another, and what an end of the review is, lives in the rooms of reviews and accounts. */
export const deskReviewRouter = router({
  queue: forAdmin.input(Page).query(({ ctx, input }) => reviewQueue(ctx.room.pool, input.after)),
  /** Null: the account does not wait. */
  read: aboutAccount.query(({ ctx }) => candidateOf(ctx.room.pool, ctx.accountId)),
  /** The letter as it will be sent; without a reason, that of an approval. */
  letter: aboutAccount
    .input(z.object({ told: Reason.nullable() }))
    .query(({ ctx, input }) => reviewLetter(ctx.room.pool, ctx.room.publicUrl, ctx.accountId, input.told)),
  approve: aboutAccount
    .use(recent)
    .input(Why)
    .mutation(({ ctx, input }) => approveAsAdmin(ctx.room.pool, deedOf(ctx, input), ctx.accountId)),
  decline: aboutAccount
    .input(Why)
    .input(z.object({ told: Reason }))
    .mutation(({ ctx, input }) => declineAsAdmin(ctx.room.pool, deedOf(ctx, input), ctx.accountId, input.told)),
})
