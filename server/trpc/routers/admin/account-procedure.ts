import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import { forAdmin } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'

/** Admin procedure on one account, open or closed. Adds its internal id to the context as `accountId`. @throws RefusedError not_found */
export const accountProcedure = forAdmin.input(z.object({ account: PublicId })).use(async ({ ctx, input, next }) => {
  return next({ ctx: { ...ctx, accountId: await accountById(ctx.deps.pool, input.account) } })
})
