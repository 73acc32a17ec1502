import { z } from 'zod'
import { operations } from '#server/api/documents/catalogue.ts'
import { getFirstCall, getLastRequest, getOverview } from '#server/metering/account-overview.ts'
import { statusGroups } from '#server/metering/log-filter.ts'
import { getRequestWithDetails, requestPage, unlistedRequests } from '#server/metering/requests.ts'
import { usageErrors } from '#server/metering/usage-errors.ts'
import { exportUsage } from '#server/metering/usage-export.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { forAccount, PublicId, router } from '../procedures.ts'

const text = z.string().max(100).nullable()
const Filter = z.object({
  endpoint: text.default(null),
  key: text.default(null),
  status: z
    .union([z.int().min(100).max(599), z.enum(Object.keys(statusGroups) as [keyof typeof statusGroups])])
    .nullable()
    .default(null),
})
const Range = Filter.extend({ from: z.string().max(13), to: z.string().max(13) })
const Periods = Range.extend({ grain: z.enum(['hour', 'day', 'month']).default('day') })
const Report = Periods.extend({ by: z.enum(['endpoint', 'key', 'status']) })

/** Usage reports. Sums and date ranges are handled in server/metering. */
export const usageRouter = router({
  report: forAccount.input(Report).query(({ ctx, input }) => usageReport(ctx.db, ctx.accountId, input, operations)),
  errors: forAccount.input(Periods).query(({ ctx, input }) => usageErrors(ctx.db, ctx.accountId, input, operations)),
  export: forAccount.input(Range).query(({ ctx, input }) => exportUsage(ctx.db, ctx.accountId, input, operations)),
})

const Moment = z.iso.datetime().transform((at) => new Date(at))
const Search = Filter.extend({ search: text })
const Page = Search.extend({
  from: Moment.nullable().default(null),
  to: Moment.nullable().default(null),
  before: text,
  limit: z.int().min(1).max(100),
})
const RequestId = z.object({ id: PublicId })

/** Request log of an account. Its contents and retention are defined in server/metering. */
export const requestsRouter = router({
  list: forAccount.input(Page).query(({ ctx, input }) => requestPage(ctx.db, ctx.accountId, input, operations)),
  unlisted: forAccount.input(Search).query(({ ctx, input }) => unlistedRequests(ctx.db, ctx.accountId, input, operations)),
  read: forAccount.input(RequestId).query(({ ctx, input }) => getRequestWithDetails(ctx.db, ctx.accountId, input.id, operations)),
})

/** Account overview, and the first and the latest call of the account. */
export const accountRouter = router({
  overview: forAccount.query(({ ctx }) => getOverview(ctx.db, ctx.accountId)),
  firstCall: forAccount.query(({ ctx }) => getFirstCall(ctx.db, ctx.accountId, operations)),
  lastRequest: forAccount.query(({ ctx }) => getLastRequest(ctx.db, ctx.accountId, operations)),
})
