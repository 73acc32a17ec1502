import { z } from 'zod'
import { operations } from '#server/api/documents/catalogue.ts'
import { exportUsage } from '#server/metering/export-usage.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { forAccount, router } from '../procedures.ts'

const Range = z.object({ from: z.string().max(10), to: z.string().max(10) })
const Question = Range.extend({ by: z.enum(['endpoint', 'key', 'status']) })

/** Usage reports. Sums and date ranges are handled in server/metering. */
export const usageRouter = router({
  report: forAccount.input(Question).query(({ ctx, input }) => usageReport(ctx.deps.pool, ctx.viewer.accountId, input, operations)),
  export: forAccount.input(Range).query(({ ctx, input }) => exportUsage(ctx.deps.pool, ctx.viewer.accountId, input, operations)),
})
