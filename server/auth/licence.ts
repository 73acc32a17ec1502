import { writeAudit } from '#server/accounts/audit.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { readLicence, writeAcceptance } from './credentials.store.ts'
import type { Viewer } from './viewer.ts'

export type Licence = { readonly label: string; readonly graceEndsAt: Date; readonly changes: string }

/** The version of the Data Licence that is accepted today. */
export async function currentLicence(room: Pick<AuthRoom, 'pool'>): Promise<Licence> {
  const row = await readLicence(room.pool)
  return row ? { label: row.label, graceEndsAt: row.grace_ends_at, changes: row.changes } : { label: dataLicence, graceEndsAt: new Date(0), changes: '' }
}

const newerFault = 'A newer version of the Data Licence has come out. Open this page again to read it.'

/** The version that somebody accepts as they sign up: the one that was shown to them. @throws FieldsError when a newer one has come out by now */
export async function acceptedLicence(room: Pick<AuthRoom, 'pool'>, shown: string): Promise<string> {
  const { label } = await currentLicence(room)
  refuseFaults({ licence: shown === label ? null : newerFault })
  return label
}

/**
 * Accepts the version that was shown, which has to be the newest. Calls go on, or come back, with the next one. Accepting twice is accepting once.
 * @throws FieldsError when a newer one has come out
 */
export async function acceptLicence(room: AuthRoom, asker: Asker, viewer: Viewer, label: string): Promise<{ label: string }> {
  if (viewer.licenceDue === null && label === (await currentLicence(room)).label) return { label }
  await inTransaction(room.pool, async (client) => {
    refuseFaults({ form: (await writeAcceptance(client, viewer.accountId, label)) ? null : newerFault })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'licence.accept', after: { label }, address: asker.address })
  })
  return { label }
}
