import { z } from 'zod'
import type { AdminActor } from '#server/accounts/audit.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { PortalContext } from '../../procedures.ts'

const maxReasonLength = 500

/** Reason for an admin action. Kept in the audit log permanently. */
export const ReasonInput = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'Enter a reason. It is recorded in the audit log.')
    .max(maxReasonLength, `The reason can have up to ${maxReasonLength} characters.`),
})

/** Validates a reason, for forms that parse other fields before calling the procedure. Returns an error message or null. */
export const reasonFault = (reason: string): string | null => ReasonInput.safeParse({ reason }).error?.issues[0]?.message ?? null

/**
 * Builds a text schema with the validator of a module, so that a form shows all errors at once. The module itself only runs once the whole input, including
 * the reason, is valid.
 */
export const checkedText = (maxLength: number, getFault: (text: string) => string | null) =>
  z
    .string()
    .superRefine((text, { addIssue }) => {
      const fault = getFault(text)
      if (fault !== null) addIssue(fault)
    })
    .max(maxLength)

/** Returns the administrator, reason and address of an admin action, for the audit log. */
export const adminActor = ({ viewer, asker }: PortalContext & { viewer: Viewer }, { reason }: z.infer<typeof ReasonInput>): AdminActor => ({
  actor: 'admin',
  adminId: viewer.accountId,
  reason,
  address: asker.address,
})
