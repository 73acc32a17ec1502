import { z } from 'zod'
import { acceptLicence, currentLicence } from '#server/auth/licence.ts'
import { forAccount, router } from '../procedures.ts'

/** The version that was shown to whoever accepts. */
const Version = z.object({ label: z.string().max(100) })

/** The Data Licence. The rules live in server/auth. */
export const licenceRouter = router({
  current: forAccount.query(({ ctx }) => currentLicence(ctx.room)),
  accept: forAccount.input(Version).mutation(({ ctx, input }) => acceptLicence(ctx.room, ctx.asker, ctx.viewer, input.label)),
})
