import { z } from 'zod'
import type { AdminActor } from '#server/accounts/audit.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { PortalContext } from '../../procedures.ts'

const maxReasonLength = 500

/** Why something is done at the desk: it stands in the audit log for good. */
export const ReasonInput = z.object({
  reason: z.string().trim().min(1, 'Say why. It stands in the audit log.').max(maxReasonLength, `The reason can have up to ${maxReasonLength} characters.`),
})

/** What is wrong with a reason, for a form whose other fields are read before it is sent on. */
export const reasonFault = (reason: string): string | null => ReasonInput.safeParse({ reason }).error?.issues[0]?.message ?? null

/**
 * A text that a room has rules for. They are asked here as well, so that a form says all that is wrong with it at once: the room itself is asked only when
 * everything, the reason among it, has the shape of an input.
 */
export const checkedText = (maxLength: number, faultOf: (text: string) => string | null) =>
  z
    .string()
    .superRefine((text, { addIssue }) => {
      const fault = faultOf(text)
      if (fault !== null) addIssue(fault)
    })
    .max(maxLength)

/** Who does it, why, and from where. */
export const adminActor = ({ viewer, asker }: PortalContext & { viewer: Viewer }, { reason }: z.infer<typeof ReasonInput>): AdminActor => ({
  actor: 'admin',
  adminId: viewer.accountId,
  reason,
  address: asker.address,
})
