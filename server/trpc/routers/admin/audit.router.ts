import { z } from 'zod'
import { auditActions, auditCursorForm, auditLog, exportAudit } from '#server/accounts/audit-log.ts'
import { forAdmin, router } from '../../procedures.ts'

const text = z.string().min(1).max(100).nullable().default(null)
const day = z.iso
  .date()
  .refine((date) => date >= '2000-01-01' && date < '3000-01-01')
  .nullable()
  .default(null)
const Filter = z.object({ account: text, admin: text, action: text, subject: text, from: day, to: day })
const Page = Filter.extend({ cursor: z.string().regex(auditCursorForm).nullable().default(null) })

/** Audit log, read-only. */
export const adminAuditRouter = router({
  list: forAdmin.input(Page).query(({ ctx, input }) => auditLog(ctx.db, input, input.cursor)),
  actions: forAdmin.query(({ ctx }) => auditActions(ctx.db)),
  /** Streams a file, for in-process use by our download route. Not available over HTTP, where responses are not streamed. */
  export: forAdmin.input(Filter).query(({ ctx, input }) => exportAudit(ctx.db, input)),
})
