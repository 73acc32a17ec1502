import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import type { ChangeKind } from '#server/api/contract/changelog.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { notifyConfigChanged } from '#server/metering/service-state.ts'
import { checkedChange, type NewChange, type Published, publishNewChange, type Tell } from './changelog.ts'

/** Id of a draft, and the revision that the caller has seen. Every change increments the revision. */
export type SeenDraft = { readonly id: string; readonly revision: number }

const maxDrafts = 100

const columns = { publicId: true, kind: true, title: true, body: true, endpointIds: true, revision: true, changedAt: true } as const

const toDraft = ({ publicId, kind, ...row }: Prisma.ChangelogDraftGetPayload<{ select: typeof columns }>) => ({
  ...row,
  id: publicId,
  kind: kind as ChangeKind,
})

/** Unpublished changelog entry. */
export type ChangeDraft = ReturnType<typeof toDraft>

/** Returns all drafts, oldest first. */
export const changeDrafts = async (db: Database): Promise<ChangeDraft[]> =>
  (await db.changelogDraft.findMany({ orderBy: { id: 'asc' }, take: maxDrafts, select: columns })).map(toDraft)

export function requireDraft<Row>(row: Row | null): Row {
  if (row === null) throw new RefusedError(refuse('not_found', {}, 'Draft not found.'))
  return row
}

/** Returns a draft. @throws RefusedError not_found */
export async function changeDraft(db: Db, id: string): Promise<ChangeDraft> {
  return toDraft(requireDraft(await db.changelogDraft.findUnique({ where: { publicId: id }, select: columns })))
}

/** Creates a draft and returns its id. @throws FieldsError */
export async function createChangeDraft(db: Database, by: AdminActor, given: NewChange): Promise<string> {
  const [id, { endpointIds, ...change }] = [newPublicId('chg'), checkedChange(given)]
  await inTransaction(db, async (tx) => {
    await tx.changelogDraft.create({ data: { ...change, publicId: id, endpointIds: [...endpointIds] }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'changelog.draft', subject: id, after: { title: change.title } })
  })
  return id
}

/** Locks a draft, reads it, and checks that it hasn't changed since the caller saw it. @throws RefusedError not_found; FieldsError */
export async function lockDraft<Draft extends { readonly revision: number }>(
  tx: Transaction,
  table: 'changelog_draft' | 'licence_draft',
  { id, revision }: SeenDraft,
  read: (tx: Transaction, id: string) => Promise<Draft>,
): Promise<Draft> {
  await lockRows(tx, table, [id])
  const draft = await read(tx, id)
  refuseFaults({ form: draft.revision === revision ? null : 'This draft has changed since you opened it. Reload the page.' })
  return draft
}

const lockSeen = (tx: Transaction, seen: SeenDraft): Promise<ChangeDraft> => lockDraft(tx, 'changelog_draft', seen, changeDraft)

/** @throws RefusedError not_found; FieldsError */
export async function updateChangeDraft(db: Database, by: AdminActor, seen: SeenDraft, given: NewChange): Promise<void> {
  const { endpointIds, ...change } = checkedChange(given)
  await inTransaction(db, async (tx) => {
    const before = await lockSeen(tx, seen)
    const isSame = before.kind === change.kind && before.title === change.title && before.body === change.body
    if (isSame && before.endpointIds.join() === endpointIds.join()) throw new FieldsError({ form: 'No changes to save.' })
    const data = { ...change, endpointIds: [...endpointIds], revision: { increment: 1 }, changedAt: new Date(clock.now()) }
    await tx.changelogDraft.update({ where: { publicId: seen.id }, data, select: { id: true } })
    await writeAudit(tx, {
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
export async function discardChangeDraft(db: Database, by: AdminActor, seen: SeenDraft): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { title, body } = await lockSeen(tx, seen)
    await tx.changelogDraft.delete({ where: { publicId: seen.id }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'changelog.discard', subject: seen.id, before: { title, body } })
  })
}

/** Publishes a draft as an entry and deletes the draft. @throws RefusedError not_found; FieldsError */
export async function publishDraft(db: Database, by: AdminActor, seen: SeenDraft, tell: Tell): Promise<Published> {
  return inTransaction(db, async (tx) => {
    const published = await publishNewChange(tx, await lockSeen(tx, seen), tell)
    await tx.changelogDraft.delete({ where: { publicId: seen.id }, select: { id: true } })
    const { id, title } = published.entry
    await writeAudit(tx, { ...by, accountId: null, action: 'changelog.publish', subject: id, after: { title, recipientCount: published.recipientCount } })
    await notifyConfigChanged(tx)
    return published
  })
}
