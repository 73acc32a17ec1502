import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import { beginViewAs, endViewAs, viewable } from '#server/auth/view-as.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { adminActor, ReasonInput } from './action-input.ts'

const Account = z.object({ account: PublicId })
const Begin = Account.extend(ReasonInput.shape)

/** Viewing the portal as a customer. procedures.ts defines what is allowed meanwhile. */
export const adminViewAsRouter = router({
  read: forAdmin.input(Account).query(async ({ ctx, input }) => viewable(ctx.deps, ctx.viewer, await accountById(ctx.deps.pool, input.account))),
  begin: forAdmin
    .use(recent)
    .input(Begin)
    .mutation(async ({ ctx, input }) => beginViewAs(ctx.deps, adminActor(ctx, input), ctx.viewer, await accountById(ctx.deps.pool, input.account))),
  end: forAdmin.input(ReasonInput).mutation(({ ctx, input }) => endViewAs(ctx.deps, adminActor(ctx, input), ctx.viewer)),
})
