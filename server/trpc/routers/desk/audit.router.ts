import { z } from 'zod'
import { deskAudit } from '../../../accounts/audit.ts'
import { forAdmin, router } from '../../procedures.ts'

const Page = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
})

/** What was done at the desk and about accounts. It is read, never written. */
export const deskAuditRouter = router({
  list: forAdmin.input(Page).query(({ ctx, input }) => deskAudit(ctx.room.pool, input.before)),
})
