import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import type { AdminActor } from '#server/accounts/audit.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { Database } from '#server/db/prisma.ts'
import { forAdmin, type PortalContext, PublicId, recent } from '../../procedures.ts'

const maxReasonLength = 500

/** Reason for an admin action. Kept in the audit log permanently. */
export const ReasonInput = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'Enter a reason. It is recorded in the audit log.')
    .max(maxReasonLength, `The reason can have up to ${maxReasonLength} characters.`),
})

/** Whole number, which forms send as text. */
export const TypedInt = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])

/** Choice that forms send as `yes` or `no`. */
export const TypedBoolean = z.union([z.boolean(), z.enum(['yes', 'no']).transform((choice) => choice === 'yes')])

/**
 * Builds a string schema from the validation function of a domain module, so that a form shows all errors at once. The operation itself runs only once the
 * whole input, including the reason, is valid.
 */
export const checkedText = (maxLength: number, getFault: (text: string) => string | null) =>
  z
    .string()
    .superRefine((text, { addIssue }) => {
      const fault = getFault(text)
      if (fault !== null) addIssue(fault)
    })
    .max(maxLength)

/** Returns the emails of accounts by public id. */
export async function getEmails(db: Database, ids: readonly (string | null)[]): Promise<(id: string | null) => string | null> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const accounts = await db.account.findMany({ where: { publicId: { in: wanted } }, take: wanted.length, select: { publicId: true, email: true } })
  const emails = new Map(accounts.map(({ publicId, email }) => [publicId, email]))
  return (id) => (id === null ? null : (emails.get(id) ?? id))
}

/** Returns the administrator, reason and address of an admin action, for the audit log. */
export const adminActor = ({ viewer, asker }: PortalContext & { viewer: Viewer }, { reason }: z.infer<typeof ReasonInput>): AdminActor => ({
  actor: 'admin',
  adminId: viewer.accountId,
  reason,
  address: asker.address,
})

/** Procedure for administrators who signed in or re-authenticated recently. */
export const recentAdmin = forAdmin.use(recent)

/** Admin procedure on one account, open or closed. Adds its internal id to the context as `accountId`. @throws RefusedError not_found */
export const accountProcedure = forAdmin.input(z.object({ account: PublicId })).use(async ({ ctx, input, next }) => {
  return next({ ctx: { ...ctx, accountId: await accountById(ctx.db, input.account) } })
})

const maxMessageLength = 300

/** Message to the customer about a decision. Collapsed to one line, because it is shown in API errors and emails. */
export const CustomerMessage = z
  .string()
  .max(maxMessageLength, `The reason can have up to ${maxMessageLength} characters.`)
  .transform((text) => text.replace(/\s+/g, ' ').trim())

/** Required message to the customer. */
export const RequiredMessage = CustomerMessage.pipe(z.string().min(1, 'Enter a reason to show to the customer.'))

/** Id of a draft. */
export const DraftId = z.object({ id: PublicId })

/** Id and revision of the draft that the administrator saw, and the reason for the change. */
export const SeenDraft = DraftId.extend({ revision: TypedInt }).extend(ReasonInput.shape)
