import { type AuditLine, getAudit, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { isTimeZone } from '#server/api/contract/time-zones.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { writeName, writePurpose, writeTimeZone } from './credentials.store.ts'
import type { Viewer } from './viewer.ts'

const maxNameLength = 80

/** Changes the name of an account; empty removes it. @throws FieldsError */
export async function changeName(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const name = typed.trim()
  refuseFaults({ name: name.length > maxNameLength ? `Name must be ${maxNameLength} characters or fewer.` : null })
  if (name === viewer.name) return
  await inTransaction(deps.pool, async (client) => {
    await writeName(client, viewer.accountId, name)
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'name.change', address: asker.address })
  })
}

const maxPurposeLength = 500

/** Saves what the account is going to build, for the review; empty removes it. @throws FieldsError */
export async function changePurpose(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const purpose = typed.trim()
  refuseFaults({ purpose: purpose.length > maxPurposeLength ? `Use ${maxPurposeLength} characters or fewer.` : null })
  if (purpose === viewer.purpose) return
  await inTransaction(deps.pool, async (client) => {
    await writePurpose(client, viewer.accountId, purpose)
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'purpose.change', address: asker.address })
  })
}

/** Sets the time zone used in the portal. @throws FieldsError */
export async function changeTimeZone(deps: AuthContext, asker: Asker, viewer: Viewer, timeZone: string): Promise<void> {
  refuseFaults({ timeZone: isTimeZone(timeZone) ? null : 'Choose UTC or a time zone from the list.' })
  if (timeZone === viewer.timeZone) return
  await inTransaction(deps.pool, async (client) => {
    await writeTimeZone(client, viewer.accountId, timeZone)
    const change = { before: { timeZone: viewer.timeZone }, after: { timeZone } }
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'time-zone.change', ...change, address: asker.address })
  })
}

export const getHistory = (deps: AuthContext, viewer: Viewer, before: string | null): Promise<{ lines: AuditLine[]; next: string | null }> =>
  getAudit(deps.pool, viewer.accountId, before)
