import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import { adjustByHand, countOpenProposals, decideProposal, getAdjustmentTerms, listOpenProposals } from '#server/billing/adjustments.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { adminActor, ReasonInput } from './action-input.ts'

const Account = z.object({ account: PublicId })
const Adjust = Account.extend({
  key: z.string().min(1).max(100),
  credits: z.number(),
  note: z.string().max(200, 'The note to the customer can have up to 200 characters.'),
}).extend(ReasonInput.shape)
const Decide = z.object({ id: PublicId, isApproved: z.boolean() }).extend(ReasonInput.shape)
const Page = z.object({
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
})

/** Manual credit adjustments. The rules (never below zero, a second administrator above a limit) are in server/billing. */
export const adminCreditsRouter = router({
  terms: forAdmin
    .input(Account)
    .query(async ({ ctx, input }) => getAdjustmentTerms(ctx.billing, await accountById(ctx.deps.pool, input.account), ctx.viewer.accountId)),
  adjust: forAdmin
    .use(recent)
    .input(Adjust)
    .mutation(async ({ ctx, input }) => adjustByHand(ctx.billing, adminActor(ctx, input), await accountById(ctx.deps.pool, input.account), input)),
  waiting: forAdmin.query(({ ctx }) => countOpenProposals(ctx.deps.pool)),
  proposals: forAdmin.input(Page).query(({ ctx, input }) => listOpenProposals(ctx.deps.pool, input.after)),
  decide: forAdmin
    .use(recent)
    .input(Decide)
    .mutation(({ ctx, input }) => decideProposal(ctx.billing, adminActor(ctx, input), input.id, input.isApproved)),
})
