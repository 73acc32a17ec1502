import { z } from 'zod'
import { acceptLicence, currentLicence } from '#server/auth/licence.ts'
import { forAccount, router } from '../procedures.ts'

/** Version that was displayed to the user. */
const Version = z.object({ label: z.string().max(100) })

/** The Data Licence. The rules are in server/auth. */
export const licenceRouter = router({
  current: forAccount.query(({ ctx }) => currentLicence(ctx.deps)),
  accept: forAccount.input(Version).mutation(({ ctx, input }) => acceptLicence(ctx.deps, ctx.asker, ctx.viewer, input.label)),
})
