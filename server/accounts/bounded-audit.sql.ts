/**
 * Audit entries about failed sign-ins. Prisma cannot do a conditional insert in one statement, and a sign-in must do the same work whether or not the account
 * exists.
 */
import type { AuditAction } from '#server/api/contract/audit-actions.ts'
import type { Database } from '#server/db/prisma.ts'

type BoundedEntry = { readonly publicId: string | null; readonly action: AuditAction; readonly address: string | null }

/**
 * Adds an entry made by the service, unless the account already has `maxAnHour` entries for this action in the last hour. Does nothing for an unknown or closed
 * account.
 */
export async function writeBoundedAudit(db: Database, { publicId, action, address }: BoundedEntry, maxAnHour: number): Promise<void> {
  await db.query(
    `INSERT INTO audit_entry (account_id, actor, action, address)
     SELECT a.id, 'service', $2, $3 FROM account a WHERE a.public_id = $1 AND a.closed_at IS NULL AND
       (SELECT count(*) FROM audit_entry e WHERE e.account_id = a.id AND e.action = $2 AND e.at > now() - interval '1 hour') < $4`,
    [publicId, action, address, maxAnHour],
  )
}
