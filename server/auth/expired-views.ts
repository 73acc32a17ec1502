import type { Pool } from 'pg'
import { writeAudit } from '#server/accounts/audit.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { takeExpired } from './view-as.store.ts'

const batchSize = 500

/** Writes an audit entry for each view-as session that expired, or whose administrator was signed out, without being ended. */
export async function notifyExpiredViews(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const { accountId, admin, endsAt } of await takeExpired(client, batchSize)) {
      await writeAudit(client, { actor: 'service', accountId, action: 'viewing.lapse', subject: admin, after: { endsAt: endsAt.toISOString() } })
    }
  })
}
