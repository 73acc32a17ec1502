import { z } from 'zod'
import { approveAsAdmin, declineAsAdmin } from '#server/accounts/admin-changes.ts'
import { candidateOf, reviewQueue } from '#server/admin/review/queue.ts'
import { reviewLetter } from '#server/admin/review/review-letter.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { accountProcedure } from './account-procedure.ts'
import { adminActor, ReasonInput } from './action-input.ts'
import { RequiredMessage } from './customer-message.ts'

const Page = z.object({ after: PublicId.nullable() })

/** Accounts that wait for live access. What tells one from another, and what an end of the review is, lives in the rooms of reviews and accounts. */
export const adminReviewRouter = router({
  queue: forAdmin.input(Page).query(({ ctx, input }) => reviewQueue(ctx.room.pool, input.after)),
  /** Null: the account does not wait. */
  read: accountProcedure.query(({ ctx }) => candidateOf(ctx.room.pool, ctx.accountId)),
  /** The letter as it will be sent; without a reason, that of an approval. */
  letter: accountProcedure
    .input(z.object({ told: RequiredMessage.nullable() }))
    .query(({ ctx, input }) => reviewLetter(ctx.room.pool, ctx.room.publicUrl, ctx.accountId, input.told)),
  approve: accountProcedure
    .use(recent)
    .input(ReasonInput)
    .mutation(({ ctx, input }) => approveAsAdmin(ctx.room.pool, adminActor(ctx, input), ctx.accountId)),
  decline: accountProcedure
    .input(ReasonInput)
    .input(z.object({ told: RequiredMessage }))
    .mutation(({ ctx, input }) => declineAsAdmin(ctx.room.pool, adminActor(ctx, input), ctx.accountId, input.told)),
})
