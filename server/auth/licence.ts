import { writeAudit } from '#server/accounts/audit.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { readLicence, writeAcceptance } from './credentials.store.ts'
import type { Viewer } from './viewer.ts'

export type Licence = { readonly label: string; readonly graceEndsAt: Date; readonly changes: string }

/** Returns the version of the Data Licence to accept. */
export async function currentLicence(deps: Pick<AuthContext, 'pool'>): Promise<Licence> {
  const row = await readLicence(deps.pool)
  return row ? { label: row.label, graceEndsAt: row.grace_ends_at, changes: row.changes } : { label: dataLicence, graceEndsAt: new Date(0), changes: '' }
}

const outdatedLicence = 'A newer version of the Data Licence has been published. Reload the page to read it.'

/** Returns the licence version accepted at sign-up: the one that was shown. @throws FieldsError if a newer version has been published since */
export async function acceptedLicence(deps: Pick<AuthContext, 'pool'>, shown: string): Promise<string> {
  const { label } = await currentLicence(deps)
  refuseFaults({ licence: shown === label ? null : outdatedLicence })
  return label
}

/**
 * Accepts the licence version that was shown, which must be the latest. Calls work again at once. Idempotent.
 * @throws FieldsError if a newer version has been published
 */
export async function acceptLicence(deps: AuthContext, asker: Asker, viewer: Viewer, label: string): Promise<{ label: string }> {
  if (viewer.licenceDue === null && label === (await currentLicence(deps)).label) return { label }
  await inTransaction(deps.pool, async (client) => {
    refuseFaults({ form: (await writeAcceptance(client, viewer.accountId, label)) ? null : outdatedLicence })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'licence.accept', after: { label }, address: asker.address })
  })
  return { label }
}
