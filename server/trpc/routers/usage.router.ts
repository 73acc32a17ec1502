import { z } from 'zod'
import { operations } from '#server/api/documents/catalogue.ts'
import { getFirstCall, getLastRequest, getOverview } from '#server/metering/account-overview.ts'
import { getRequestWithDetails, requestPage, unlistedRequests } from '#server/metering/requests.ts'
import { exportUsage, usageReport } from '#server/metering/usage-report.ts'
import { forAccount, PublicId, router } from '../procedures.ts'

const Range = z.object({ from: z.string().max(10), to: z.string().max(10) })
const Question = Range.extend({ by: z.enum(['endpoint', 'key', 'status']) })

/** Usage reports. Sums and date ranges are handled in server/metering. */
export const usageRouter = router({
  report: forAccount.input(Question).query(({ ctx, input }) => usageReport(ctx.db, ctx.accountId, input, operations)),
  export: forAccount.input(Range).query(({ ctx, input }) => exportUsage(ctx.db, ctx.accountId, input, operations)),
})

const text = z.string().max(100).nullable()
const RequestFilter = z.object({
  search: text,
  endpoint: text,
  key: text,
  status: z.int().min(100).max(599).nullable(),
  before: text,
  limit: z.int().min(1).max(100),
})
const RequestId = z.object({ id: PublicId })

/** Request log of an account. Its contents and retention are defined in server/metering. */
export const requestsRouter = router({
  list: forAccount.input(RequestFilter).query(({ ctx, input }) => requestPage(ctx.db, ctx.accountId, input, operations)),
  unlisted: forAccount
    .input(RequestFilter.omit({ before: true, limit: true }))
    .query(({ ctx, input }) => unlistedRequests(ctx.db, ctx.accountId, input, operations)),
  read: forAccount.input(RequestId).query(({ ctx, input }) => getRequestWithDetails(ctx.db, ctx.accountId, input.id, operations)),
})

/** Account overview, and the first and the latest call of the account. */
export const accountRouter = router({
  overview: forAccount.query(({ ctx }) => getOverview(ctx.db, ctx.accountId)),
  firstCall: forAccount.query(({ ctx }) => getFirstCall(ctx.db, ctx.accountId, operations)),
  lastRequest: forAccount.query(({ ctx }) => getLastRequest(ctx.db, ctx.accountId, operations)),
})
