import { acceptLicence, currentLicence } from '../../auth/licence.ts'
import { forAccount, router } from '../procedures.ts'

/** The Data Licence. The rules live in server/auth. */
export const licenceRouter = router({
  current: forAccount.query(({ ctx }) => currentLicence(ctx.room)),
  accept: forAccount.mutation(({ ctx }) => acceptLicence(ctx.room, ctx.asker, ctx.viewer)),
})
