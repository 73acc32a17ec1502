import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { checkedChange, type NewChange, type Published, publishNewChange, type Tell } from './changelog.ts'
import * as store from './entries.store.ts'

/** Unpublished changelog entry. */
export type ChangeDraft = NewChange & { readonly id: string; readonly revision: number; readonly changedAt: Date }

/** Reference to a draft at the revision that the caller has seen. Every change increments the revision. */
export type SeenDraft = { readonly id: string; readonly revision: number }

const maxDrafts = 100

const fromDb = ({ endpoint_ids, changed_at, ...row }: store.DraftRow): ChangeDraft => ({ ...row, endpointIds: endpoint_ids, changedAt: changed_at })

const unknownDraft = () => new RefusedError(refuse('not_found', {}, 'Draft not found.'))

/** Returns all drafts, oldest first. */
export const changeDrafts = async (pool: Database): Promise<ChangeDraft[]> => (await store.readDrafts(pool, maxDrafts)).map(fromDb)

/** Returns a draft. @throws RefusedError not_found */
export async function changeDraft(pool: Database, id: string): Promise<ChangeDraft> {
  const row = await store.readDraft(pool, id)
  if (!row) throw unknownDraft()
  return fromDb(row)
}

/** Creates a draft and returns its id. @throws FieldsError */
export async function createChangeDraft(pool: Database, by: AdminActor, given: NewChange): Promise<string> {
  const [id, { endpointIds, ...change }] = [newPublicId('chg'), checkedChange(given)]
  await inTransaction(pool, async (client) => {
    await store.insertDraft(client, { ...change, id, endpoint_ids: endpointIds })
    await writeAudit(client, { ...by, accountId: null, action: 'changelog.draft', subject: id, after: { title: change.title } })
  })
  return id
}

/** Locks a draft and checks that it hasn't changed since the caller saw it. @throws RefusedError not_found; FieldsError */
async function lockSeen(client: Transaction, { id, revision }: SeenDraft): Promise<ChangeDraft> {
  const row = await store.lockDraft(client, id)
  if (!row) throw unknownDraft()
  refuseFaults({ form: row.revision === revision ? null : 'This draft has changed since you opened it. Reload the page.' })
  return fromDb(row)
}

/** @throws RefusedError not_found; FieldsError */
export async function updateChangeDraft(pool: Database, by: AdminActor, seen: SeenDraft, given: NewChange): Promise<void> {
  const { endpointIds, ...change } = checkedChange(given)
  await inTransaction(pool, async (client) => {
    const before = await lockSeen(client, seen)
    const isSame = before.kind === change.kind && before.title === change.title && before.body === change.body
    if (isSame && before.endpointIds.join() === endpointIds.join()) throw new FieldsError({ form: 'No changes to save.' })
    await store.updateDraft(client, { ...change, id: seen.id, endpoint_ids: endpointIds })
    await writeAudit(client, {
      ...by,
      accountId: null,
      action: 'changelog.rewrite',
      subject: seen.id,
      before: { kind: before.kind, title: before.title, body: before.body, endpointIds: before.endpointIds },
      after: { ...change, endpointIds },
    })
  })
}

/** @throws RefusedError not_found; FieldsError */
export async function discardChangeDraft(pool: Database, by: AdminActor, seen: SeenDraft): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { title, body } = await lockSeen(client, seen)
    await store.deleteDraft(client, seen.id)
    await writeAudit(client, { ...by, accountId: null, action: 'changelog.discard', subject: seen.id, before: { title, body } })
  })
}

/** Publishes a draft as an entry and deletes the draft. @throws RefusedError not_found; FieldsError */
export async function publishDraft(pool: Database, by: AdminActor, seen: SeenDraft, tell: Tell): Promise<Published> {
  return inTransaction(pool, async (client) => {
    const published = await publishNewChange(client, await lockSeen(client, seen), tell)
    await store.deleteDraft(client, seen.id)
    const { id, title } = published.entry
    await writeAudit(client, { ...by, accountId: null, action: 'changelog.publish', subject: id, after: { title, recipientCount: published.recipientCount } })
    return published
  })
}
