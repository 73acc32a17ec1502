import { operations } from '#server/api/documents/catalogue.ts'
import { firstCallOf, lastRequestOf, overviewOf } from '#server/metering/overview.ts'
import { forAccount, router } from '../procedures.ts'

/** Account overview and first steps. */
export const accountRouter = router({
  overview: forAccount.query(({ ctx }) => overviewOf(ctx.room.pool, ctx.viewer.accountId)),
  firstCall: forAccount.query(({ ctx }) => firstCallOf(ctx.room.pool, ctx.viewer.accountId, operations)),
  lastRequest: forAccount.query(({ ctx }) => lastRequestOf(ctx.room.pool, ctx.viewer.accountId, operations)),
})
