import { z } from 'zod'
import { changeName, changePurpose, changeTimeZone, getHistory } from '#server/auth/profile.ts'
import { readSessionSummary } from '#server/auth/session-summary.ts'
import { forAccount, router } from '../procedures.ts'

const Name = z.object({ name: z.string().max(1_000) })
const Purpose = z.object({ purpose: z.string().max(5_000) })
const TimeZone = z.object({ timeZone: z.string().max(64) })
const Page = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
})

/** Profile and history of the account. The rules are in server/auth. */
export const profileRouter = router({
  read: forAccount.query(({ ctx }) => readSessionSummary(ctx.viewer)),
  rename: forAccount.input(Name).mutation(({ ctx, input }) => changeName(ctx.deps, ctx.asker, ctx.viewer, input.name)),
  setPurpose: forAccount.input(Purpose).mutation(({ ctx, input }) => changePurpose(ctx.deps, ctx.asker, ctx.viewer, input.purpose)),
  setTimeZone: forAccount.input(TimeZone).mutation(({ ctx, input }) => changeTimeZone(ctx.deps, ctx.asker, ctx.viewer, input.timeZone)),
  history: forAccount.input(Page).query(({ ctx, input }) => getHistory(ctx.deps, ctx.viewer, input.before)),
})
