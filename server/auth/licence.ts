import { writeAudit } from '../accounts/audit.ts'
import { dataLicence } from '../contract/envelope.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { readLicence, writeAcceptance } from './credentials.store.ts'
import type { Viewer } from './viewer.ts'

export type Licence = { readonly label: string; readonly graceEndsAt: Date; readonly changes: string }

/** The version of the Data Licence that is accepted today. */
export async function currentLicence(room: Pick<AuthRoom, 'pool'>): Promise<Licence> {
  const row = await readLicence(room.pool)
  return row ? { label: row.label, graceEndsAt: row.grace_ends_at, changes: row.changes } : { label: dataLicence, graceEndsAt: new Date(0), changes: '' }
}

/** Accepts the newest version for an account. Calls go on, or come back, with the next one. Accepting twice is accepting once. */
export async function acceptLicence(room: AuthRoom, asker: Asker, viewer: Viewer): Promise<{ label: string }> {
  const { label } = await currentLicence(room)
  if (viewer.licenceDue === null) return { label }
  await inTransaction(room.pool, async (client) => {
    await writeAcceptance(client, viewer.accountId, label)
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'licence.accept', after: { label }, address: asker.address })
  })
  return { label }
}
