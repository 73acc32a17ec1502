import { acceptLicenceForService } from '#server/accounts/accounts.ts'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { dayMs, isoDay, parseDay } from '#server/api/contract/dates.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { toDayLabel } from '#server/api/contract/formats.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueBulkEmail } from '#server/email/bulk-emails.ts'
import { newPublicId } from '#server/ids.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import { notifyConfigChanged } from '#server/metering/service-state.ts'
import { lockChanges, publishNewChange } from '../changelog/changelog.ts'
import { lockDraft, requireDraft, type SeenDraft } from '../changelog/drafts.ts'

/** Content of a licence version that is not published yet. */
export type NewLicence = {
  readonly label: string
  readonly changes: string
  readonly body: string
  /** UTC date, such as 2026-11-30. The grace period ends when this day begins. */
  readonly graceEndsOn: string
}

const maxDrafts = 100
const maxLength = { changes: 2_000, body: 100_000 } as const

/** Minimum number of days between the email about a version and the end of its grace period. */
const minGraceDays = 14

const columns = { publicId: true, label: true, changes: true, body: true, graceEndsAt: true, revision: true, changedAt: true } as const

const toDraft = ({ publicId, graceEndsAt, ...row }: Prisma.LicenceDraftGetPayload<{ select: typeof columns }>) => ({
  ...row,
  id: publicId,
  graceEndsOn: isoDay(graceEndsAt),
})

export type LicenceDraft = ReturnType<typeof toDraft>

/** Returns the drafts, oldest first, without their text. */
export async function licenceDrafts(db: Database) {
  const drafts = await db.licenceDraft.findMany({ orderBy: { id: 'asc' }, take: maxDrafts, select: { publicId: true, label: true, changedAt: true } })
  return drafts.map(({ publicId: id, ...draft }) => ({ ...draft, id }))
}

/** Returns a draft. @throws RefusedError not_found */
export async function licenceDraft(db: Db, id: string): Promise<LicenceDraft> {
  return toDraft(requireDraft(await db.licenceDraft.findUnique({ where: { publicId: id }, select: columns })))
}

const isWithin = (text: string, maxLength: number) => text !== '' && text.length <= maxLength

/** Returns the earliest date on which a grace period that begins now can end. */
const firstGraceDay = (): string => isoDay(Math.ceil(clock.now() / dayMs + minGraceDays) * dayMs)

const graceFault = (): string => `The grace period must be at least ${minGraceDays} days. Enter ${toDayLabel(firstGraceDay())} or later.`

/** Validators for a draft's fields. Each returns an error message or null. */
export const licenceFaults = {
  label: (label: string) => (/^v\d{4}-(?:0[1-9]|1[0-2])$/.test(label.trim()) ? null : 'The version must be a year and month, such as v2027-01.'),
  changes: (changes: string) => (isWithin(changes.trim(), maxLength.changes) ? null : `Describe the changes in up to ${maxLength.changes} characters.`),
  graceEndsOn: (day: string) => {
    const moment = parseDay(day.trim())
    return moment && moment.getTime() >= clock.now() + minGraceDays * dayMs ? null : graceFault()
  },
  body: (body: string) => (isWithin(body.trim(), maxLength.body) ? null : `The text must have 1 to ${maxLength.body} characters.`),
} satisfies Record<keyof NewLicence, (text: string) => string | null>

/** @throws FieldsError */
function checked(given: NewLicence) {
  const names = ['label', 'changes', 'graceEndsOn', 'body'] as const
  refuseFaults(Object.fromEntries(names.map((name) => [name, licenceFaults[name](given[name])])))
  const graceEndsAt = parseDay(given.graceEndsOn.trim())
  if (graceEndsAt === null) throw new FieldsError({ graceEndsOn: 'Enter a date.' })
  return { label: given.label.trim(), changes: given.changes.trim(), body: given.body.trim().replaceAll('\r\n', '\n'), graceEndsAt }
}

/** Validates a new label. It must sort after all published ones, because API callers recognise a newer version by its label. */
async function labelFault(tx: Transaction, label: string): Promise<string | null> {
  // Labels have a fixed format, such as v2027-01, so every collation sorts them alike.
  const newest = (await tx.licenceVersion.findFirst({ orderBy: { label: 'desc' }, select: { label: true } }))?.label
  if (newest === undefined || label > newest) return null
  return label === newest ? `${label} is already published. Choose another version.` : `${newest} is already published. Choose a later version.`
}

/** Creates a draft and returns its id. @throws FieldsError */
export async function createLicenceDraft(db: Database, by: AdminActor, given: NewLicence): Promise<string> {
  const [id, text] = [newPublicId('lic'), checked(given)]
  await inTransaction(db, async (tx) => {
    refuseFaults({ label: await labelFault(tx, text.label) })
    await tx.licenceDraft.create({ data: { ...text, publicId: id }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'licence.draft', subject: id, after: { label: text.label } })
  })
  return id
}

const lockSeen = (tx: Transaction, seen: SeenDraft): Promise<LicenceDraft> => lockDraft(tx, 'licence_draft', seen, licenceDraft)

/** Returns a draft's fields for the audit log. Includes only the length of the text, because the text is long and only matters once it is published. */
const summary = ({ label, changes, graceEndsOn, body }: NewLicence) => ({ label, changes, graceEndsOn, characters: body.length })

/** @throws RefusedError not_found; FieldsError */
export async function updateLicence(db: Database, by: AdminActor, seen: SeenDraft, given: NewLicence): Promise<void> {
  const text = checked(given)
  const after = { ...text, graceEndsOn: isoDay(text.graceEndsAt) }
  await inTransaction(db, async (tx) => {
    const before = await lockSeen(tx, seen)
    const isSame = (['label', 'changes', 'body', 'graceEndsOn'] as const).every((name) => before[name] === after[name])
    refuseFaults({
      form: isSame ? 'No changes to save.' : null,
      label: await labelFault(tx, text.label),
    })
    const data = { ...text, revision: { increment: 1 }, changedAt: new Date(clock.now()) }
    await tx.licenceDraft.update({ where: { publicId: seen.id }, data, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'licence.rewrite', subject: seen.id, before: summary(before), after: summary(after) })
  })
}

/** @throws RefusedError not_found; FieldsError */
export async function discardLicenceDraft(db: Database, by: AdminActor, seen: SeenDraft): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockSeen(tx, seen)
    await tx.licenceDraft.delete({ where: { publicId: seen.id }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'licence.discard', subject: seen.id, before: summary(before) })
  })
}

/**
 * Publishes a version. It becomes the current version, and every account must accept it before the grace period ends. In the same transaction, the version is
 * added to the changelog, and accounts with an active key are emailed. Returns the label and the number of accounts notified. @throws RefusedError not_found;
 * FieldsError
 */
export async function publishLicence(db: Database, by: AdminActor, seen: SeenDraft): Promise<{ label: string; recipientCount: number }> {
  return inTransaction(db, async (tx) => {
    // Serialises publications, so that each sees the labels of earlier ones.
    await lockChanges(tx)
    const draft = await lockSeen(tx, seen)
    const { label, changes, graceEndsAt, body } = checked(draft)
    refuseFaults({ form: await labelFault(tx, label) })
    const change = { kind: 'changed', title: `Data Licence ${label}`, body: `${changes}\n\n[Read it](/licence/${label}).`, endpointIds: [] } as const
    const { recipientCount } = await publishNewChange(tx, change, async () => {
      await enqueueBulkEmail(tx, 'licence', label, { label, changes, graceEndsAt: graceEndsAt.toISOString() })
      return countKeyHolders(tx)
    })
    const publishedAt = new Date(clock.now())
    await tx.licenceVersion.create({ data: { label, changes, graceEndsAt, body, publishedAt }, select: { label: true } })
    await acceptLicenceForService(tx, label)
    await tx.licenceDraft.delete({ where: { publicId: seen.id }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId: null, action: 'licence.publish', subject: label, after: { ...summary(draft), recipientCount } })
    await notifyConfigChanged(tx)
    return { label, recipientCount }
  })
}

const maxVersions = 200

const isPublished = () => ({ publishedAt: { lte: new Date(clock.now()) } })

/** Returns the text of a version published by an administrator, as Markdown without a title. Null if there is none with this label. */
export async function publishedLicence(db: Database, label: string): Promise<string | null> {
  const version = await db.licenceVersion.findFirst({ where: { label, ...isPublished() }, select: { body: true } })
  return version?.body ?? null
}

/**
 * Returns the summary of the changes in a version, the labels of the previous and the next version (or null), and the label of the newest, which may be this
 * one. Returns null if the version isn't published or its text is missing. `bundled` lists the labels whose text ships with the service.
 */
export async function licencePlace(db: Database, label: string, bundled: readonly string[]) {
  const versions = await db.licenceVersion.findMany({
    where: { ...isPublished(), OR: [{ body: { not: null } }, { label: { in: [...bundled] } }] },
    orderBy: [{ publishedAt: 'desc' }, { label: 'desc' }],
    take: maxVersions,
    select: { label: true, changes: true, publishedAt: true },
  })
  const index = versions.findIndex((version) => version.label === label)
  const [version, newest] = [versions[index], versions[0]]
  if (!version || !newest) return null
  const [older = null, newer = null] = [versions[index + 1]?.label, versions[index - 1]?.label]
  return { changes: version.changes, older, newer, newest: newest.label, newestAt: newest.publishedAt }
}

/** Counts the confirmed, open accounts by the version they last accepted. A null label means that no version was accepted. */
async function countAcceptances(db: Database): Promise<Map<string | null, number>> {
  const where = { emailVerifiedAt: { not: null }, closedAt: null }
  const counts = await db.account.groupBy({ by: ['acceptedLicence'], where, _count: true })
  return new Map(counts.map(({ acceptedLicence, _count }) => [acceptedLicence, _count]))
}

/**
 * Returns up to 200 versions, newest first, each with the number of accounts for which it is the latest accepted version. `none` is the number of accounts that
 * have never accepted a version.
 */
export async function licenceVersions(db: Database) {
  const select = { label: true, publishedAt: true, graceEndsAt: true } as const
  const [rows, counts] = await Promise.all([
    db.licenceVersion.findMany({ where: isPublished(), orderBy: { publishedAt: 'desc' }, take: maxVersions, select }),
    countAcceptances(db),
  ])
  const versions = rows.map((version) => ({ ...version, accounts: counts.get(version.label) ?? 0 }))
  const labels = new Set(rows.map(({ label }) => label))
  const none = [...counts].reduce((sum, [label, accounts]) => (label !== null && labels.has(label) ? sum : sum + accounts), 0)
  return { versions, none }
}

/** Counts the accounts that must accept a new version: confirmed and not closed. */
export const accountsToAccept = (db: Database): Promise<number> => db.account.count({ where: { emailVerifiedAt: { not: null }, closedAt: null } })
