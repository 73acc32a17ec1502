import { type MemberOrigin, writeAudit } from '#server/accounts/audit.ts'
import { endOrganisationSessions } from '#server/auth/sessions.ts'
import type { Transaction } from '#server/db/prisma.ts'

/**
 * Deletes the provider of a locked account, unlinks all logins and ends the sessions that began through it, and records this. Returns false if the account has
 * none.
 */
export async function deleteProvider(tx: Transaction, by: MemberOrigin & { readonly actor: 'account'; readonly accountId: number }): Promise<boolean> {
  const { accountId } = by
  await endOrganisationSessions(tx, accountId)
  const before = await tx.singleSignOn.findUnique({ where: { accountId }, select: { issuer: true, clientId: true } })
  if (before === null) return false
  await tx.singleSignOn.delete({ where: { accountId }, select: { accountId: true } })
  await writeAudit(tx, { ...by, action: 'single-sign-on.remove', before })
  return true
}
