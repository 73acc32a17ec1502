import { type AuditLine, auditOf, writeAudit } from '../accounts/audit.ts'
import { refuseFaults } from '../contract/field-errors.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { writeName } from './credentials.store.ts'
import type { Viewer } from './viewer.ts'

const longestName = 80

/** Changes the name of an account; an empty one is none. @throws FieldsError */
export async function changeName(room: AuthRoom, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const name = typed.trim()
  refuseFaults({ name: name.length > longestName ? `Name must be ${longestName} characters or fewer.` : null })
  if (name === viewer.name) return
  await inTransaction(room.pool, async (client) => {
    await writeName(client, viewer.accountId, name)
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'name.change', address: asker.address })
  })
}

export const historyOf = (room: AuthRoom, viewer: Viewer, before: string | null): Promise<{ lines: AuditLine[]; next: string | null }> =>
  auditOf(room.pool, viewer.accountId, before)
