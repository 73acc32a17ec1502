import { lastRequestOf, overviewOf } from '../../metering/overview.ts'
import { operations } from '../../publish/catalogue.ts'
import { forAccount, router } from '../procedures.ts'

/** How the account stands. */
export const accountRouter = router({
  overview: forAccount.query(({ ctx }) => overviewOf(ctx.room.pool, ctx.viewer.accountId)),
  lastRequest: forAccount.query(({ ctx }) => lastRequestOf(ctx.room.pool, ctx.viewer.accountId, operations)),
})
