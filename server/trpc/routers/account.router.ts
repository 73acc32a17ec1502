import { operations } from '#server/api/documents/catalogue.ts'
import { getFirstCall, getLastRequest, getOverview } from '#server/metering/account-overview.ts'
import { forAccount, router } from '../procedures.ts'

/** Account overview, and the first and the latest call of the account. */
export const accountRouter = router({
  overview: forAccount.query(({ ctx }) => getOverview(ctx.db, ctx.accountId)),
  firstCall: forAccount.query(({ ctx }) => getFirstCall(ctx.db, ctx.accountId, operations)),
  lastRequest: forAccount.query(({ ctx }) => getLastRequest(ctx.db, ctx.accountId, operations)),
})
