import { z } from 'zod'
import { approveAsAdmin, declineAsAdmin } from '#server/accounts/admin-changes.ts'
import { findCandidate, reviewQueue } from '#server/admin/review/queue.ts'
import { renderReviewEmail } from '#server/admin/review/review-email.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { accountProcedure } from './account-procedure.ts'
import { adminActor, ReasonInput } from './action-input.ts'
import { RequiredMessage } from './customer-message.ts'

const Page = z.object({ after: PublicId.nullable() })

/** Accounts awaiting live access. The rules are in server/admin/review and server/accounts. */
export const adminReviewRouter = router({
  queue: forAdmin.input(Page).query(({ ctx, input }) => reviewQueue(ctx.deps.pool, input.after)),
  /** Returns null if the account isn't awaiting review. */
  read: accountProcedure.query(({ ctx }) => findCandidate(ctx.deps.pool, ctx.accountId)),
  /** Renders the email: of a decline with the given reason, or of an approval if it is null. */
  message: accountProcedure
    .input(z.object({ customerMessage: RequiredMessage.nullable() }))
    .query(({ ctx, input }) => renderReviewEmail(ctx.deps.pool, ctx.deps.publicUrl, ctx.accountId, input.customerMessage)),
  approve: accountProcedure
    .use(recent)
    .input(ReasonInput)
    .mutation(({ ctx, input }) => approveAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId)),
  decline: accountProcedure
    .use(recent)
    .input(ReasonInput)
    .input(z.object({ customerMessage: RequiredMessage }))
    .mutation(({ ctx, input }) => declineAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId, input.customerMessage)),
})
