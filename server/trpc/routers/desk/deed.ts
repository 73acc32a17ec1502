import { z } from 'zod'
import type { Deed } from '../../../accounts/audit.ts'
import type { Viewer } from '../../../auth/viewer.ts'
import type { PortalContext } from '../../procedures.ts'

const mostLetters = 500

/** Why something is done at the desk: it stands in the audit log for good. */
export const Why = z.object({
  reason: z.string().trim().min(1, 'Say why. It stands in the audit log.').max(mostLetters, `The reason can have up to ${mostLetters} characters.`),
})

/** Who does it, why, and from where. */
export const deedOf = ({ viewer, asker }: PortalContext & { viewer: Viewer }, { reason }: z.infer<typeof Why>): Deed => ({
  actor: 'admin',
  adminId: viewer.accountId,
  reason,
  address: asker.address,
})
