import type { Pool } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { takeLapsed } from './viewing.store.ts'

const lapsedAtOnce = 500

/** Puts into the audit log which views have ended without being left: they ran out, or the administrator is signed out. */
export async function tellLapsedViews(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const { accountId, admin, endsAt } of await takeLapsed(client, lapsedAtOnce)) {
      await writeAudit(client, { actor: 'service', accountId, action: 'viewing.lapse', subject: admin, after: { endsAt: endsAt.toISOString() } })
    }
  })
}
