import { acceptLicenceForService } from '#server/accounts/accounts.ts'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { toDayLabel } from '#server/api/contract/formats.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueBulkEmail } from '#server/email/bulk-emails.ts'
import { newPublicId } from '#server/ids.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import { notifyConfigChanged } from '#server/metering/service-state.ts'
import { lockChanges, publishNewChange } from '../changelog/changelog.ts'
import * as store from './licences.store.ts'

/** Content of a licence version that is not published yet. */
export type NewLicence = {
  readonly label: string
  readonly changes: string
  readonly body: string
  /** UTC date, such as 2026-11-30. The grace period ends when this day begins. */
  readonly graceEndsOn: string
}

export type LicenceDraft = NewLicence & { readonly id: string; readonly revision: number; readonly changedAt: Date }

/** Reference to a draft at the revision that the caller has seen. Every change increments the revision. */
export type SeenLicence = { readonly id: string; readonly revision: number }

const maxDrafts = 100
const maxLength = { changes: 2_000, body: 100_000 } as const

/** Minimum number of days between the email about a version and the end of its grace period. */
const minGraceDays = 14
const dayMs = 86_400_000

const getDay = (moment: Date): string => moment.toISOString().slice(0, 10)

const fromDb = ({ grace_ends_at, changed_at, ...row }: store.LicenceDraftRow): LicenceDraft => ({
  ...row,
  graceEndsOn: getDay(grace_ends_at),
  changedAt: changed_at,
})

const unknownDraft = () => new RefusedError(refuse('not_found', {}, 'Draft not found.'))

export const licenceDrafts = async (pool: Database): Promise<Pick<LicenceDraft, 'id' | 'label' | 'changedAt'>[]> =>
  (await store.readLicenceDrafts(pool, maxDrafts)).map(({ id, label, changed_at }) => ({ id, label, changedAt: changed_at }))

/** Returns a draft. @throws RefusedError not_found */
export async function licenceDraft(pool: Database, id: string): Promise<LicenceDraft> {
  const row = await store.readLicenceDraft(pool, id)
  if (!row) throw unknownDraft()
  return fromDb(row)
}

const isWithin = (text: string, maxLength: number) => text !== '' && text.length <= maxLength

/** Returns the start of a UTC date, or null if the date is invalid. */
function startOfDay(day: string): Date | null {
  const moment = new Date(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : Number.NaN)
  return Number.isNaN(moment.getTime()) || getDay(moment) !== day ? null : moment
}

/** Returns the earliest date on which a grace period that begins now can end. */
const firstGraceDay = (): string => getDay(new Date(Math.ceil(clock.now() / dayMs + minGraceDays) * dayMs))

const graceFault = (): string => `The grace period must be at least ${minGraceDays} days. Enter ${toDayLabel(firstGraceDay())} or later.`

/** Validators of the fields of a draft. Each returns an error message or null. */
export const licenceFaults = {
  label: (label: string) => (/^v\d{4}-(?:0[1-9]|1[0-2])$/.test(label.trim()) ? null : 'The label must be a year and month, such as v2027-01.'),
  changes: (changes: string) => (isWithin(changes.trim(), maxLength.changes) ? null : `Describe the changes in up to ${maxLength.changes} characters.`),
  graceEndsOn: (day: string) => {
    const moment = startOfDay(day.trim())
    return moment && moment.getTime() >= clock.now() + minGraceDays * dayMs ? null : graceFault()
  },
  body: (body: string) => (isWithin(body.trim(), maxLength.body) ? null : `The text must have 1 to ${maxLength.body} characters.`),
} satisfies Record<keyof NewLicence, (text: string) => string | null>

/** @throws FieldsError */
function checked(given: NewLicence): store.LicenceText {
  const names = ['label', 'changes', 'graceEndsOn', 'body'] as const
  refuseFaults(Object.fromEntries(names.map((name) => [name, licenceFaults[name](given[name])])))
  const graceEndsAt = startOfDay(given.graceEndsOn.trim())
  if (graceEndsAt === null) throw new FieldsError({ graceEndsOn: 'Enter a date.' })
  return { label: given.label.trim(), changes: given.changes.trim(), body: given.body.trim().replaceAll('\r\n', '\n'), graceEndsAt }
}

/** Validates a new label. It must sort after all published ones, because API callers recognise a newer version by its label. */
async function labelFault(client: Transaction, label: string): Promise<string | null> {
  const newest = await store.readHighestLabel(client)
  if (newest === undefined || label > newest) return null
  return label === newest ? `${label} is already published. Choose another label.` : `${newest} is already published. Choose a later label.`
}

/** Creates a draft and returns its id. @throws FieldsError */
export async function createLicenceDraft(pool: Database, by: AdminActor, given: NewLicence): Promise<string> {
  const [id, text] = [newPublicId('lic'), checked(given)]
  await inTransaction(pool, async (client) => {
    refuseFaults({ label: await labelFault(client, text.label) })
    await store.insertLicenceDraft(client, id, text)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.draft', subject: id, after: { label: text.label } })
  })
  return id
}

/** Locks a draft and checks that it hasn't changed since the caller saw it. @throws RefusedError not_found; FieldsError */
async function lockSeen(client: Transaction, { id, revision }: SeenLicence): Promise<LicenceDraft> {
  const row = await store.lockLicenceDraft(client, id)
  if (!row) throw unknownDraft()
  refuseFaults({ form: row.revision === revision ? null : 'This draft has changed since you opened it. Reload the page.' })
  return fromDb(row)
}

/** Returns the fields of a draft for the audit log, with the length of its text instead of the text, which is long and only matters once published. */
const summary = ({ label, changes, graceEndsOn, body }: NewLicence) => ({ label, changes, graceEndsOn, characters: body.length })

/** @throws RefusedError not_found; FieldsError */
export async function updateLicence(pool: Database, by: AdminActor, seen: SeenLicence, given: NewLicence): Promise<void> {
  const text = checked(given)
  const after = { ...text, graceEndsOn: getDay(text.graceEndsAt) }
  await inTransaction(pool, async (client) => {
    const before = await lockSeen(client, seen)
    const isSame = (['label', 'changes', 'body', 'graceEndsOn'] as const).every((name) => before[name] === after[name])
    refuseFaults({
      form: isSame ? 'No changes to save.' : null,
      label: await labelFault(client, text.label),
    })
    await store.updateLicenceDraft(client, seen.id, text)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.rewrite', subject: seen.id, before: summary(before), after: summary(after) })
  })
}

/** @throws RefusedError not_found; FieldsError */
export async function discardLicenceDraft(pool: Database, by: AdminActor, seen: SeenLicence): Promise<void> {
  await inTransaction(pool, async (client) => {
    const before = await lockSeen(client, seen)
    await store.deleteLicenceDraft(client, seen.id)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.discard', subject: seen.id, before: summary(before) })
  })
}

/**
 * Publishes a version. It becomes the current version, and every account must accept it before the grace period ends. In the same transaction it is added to
 * the changelog, and accounts with an active key are emailed. Returns the label and the number of accounts notified.
 * @throws RefusedError not_found; FieldsError
 */
export async function publishLicence(pool: Database, by: AdminActor, seen: SeenLicence): Promise<{ label: string; recipientCount: number }> {
  return inTransaction(pool, async (client) => {
    // Publications run one after another, so that each sees the labels of those before it.
    await lockChanges(client)
    const draft = await lockSeen(client, seen)
    const { label, changes, graceEndsAt, body } = checked(draft)
    refuseFaults({ form: await labelFault(client, label) })
    const change = { kind: 'changed', title: `Data Licence ${label}`, body: `${changes}\n\n[Read it](/licence/${label}).`, endpointIds: [] } as const
    const { recipientCount } = await publishNewChange(client, change, async () => {
      await enqueueBulkEmail(client, 'licence', label, { label, changes, graceEndsAt: graceEndsAt.toISOString() })
      return countKeyHolders(client)
    })
    await store.insertVersion(client, { label, changes, graceEndsAt, body })
    await acceptLicenceForService(client, label)
    await store.deleteLicenceDraft(client, seen.id)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.publish', subject: label, after: { ...summary(draft), recipientCount } })
    await notifyConfigChanged(client)
    return { label, recipientCount }
  })
}

/** Published version of the Data Licence. Immutable. */
type LicenceVersion = {
  readonly label: string
  readonly publishedAt: Date
  /** Time from which calls are rejected for accounts that haven't accepted it. */
  readonly graceEndsAt: Date
  /** Number of accounts whose last accepted version this is. */
  readonly accounts: number
}

const maxVersions = 200

/** Returns the text of a version published by an administrator, as Markdown without a title. Null if there is none with this label. */
export async function publishedLicence(pool: Database, label: string): Promise<string | null> {
  return (await store.readVersionText(pool, label)) ?? null
}

/** Summary of the changes in a version, and its place in the history: the labels of the versions before and after it, or null. */
export type LicencePlace = {
  readonly changes: string
  readonly older: string | null
  readonly newer: string | null
  /** Label of the newest version, which may be this one. `newestAt` is the time of its publication. */
  readonly newest: string
  readonly newestAt: Date
}

/** Returns the place of a version in the history; null if there is no text for its label. `bundled` lists the labels whose text ships with the service. */
export async function licencePlace(pool: Database, label: string, bundled: readonly string[]): Promise<LicencePlace | null> {
  const row = await store.readPlace(pool, label, bundled)
  return row ? { changes: row.changes, older: row.older, newer: row.newer, newest: row.newest, newestAt: row.newest_at } : null
}

/** Returns up to 200 versions, newest first. `none` is the number of accounts that have accepted none of them. */
export async function licenceVersions(pool: Database): Promise<{ versions: LicenceVersion[]; none: number }> {
  const [rows, counts] = await Promise.all([store.readVersions(pool, maxVersions), store.countAcceptances(pool)])
  const accountsByLabel = new Map(counts.map(({ label, accounts }) => [label, accounts]))
  const versions = rows.map(({ label, published_at, grace_ends_at }) => ({
    label,
    publishedAt: published_at,
    graceEndsAt: grace_ends_at,
    accounts: accountsByLabel.get(label) ?? 0,
  }))
  const all = counts.reduce((sum, { accounts }) => sum + accounts, 0)
  return { versions, none: all - versions.reduce((sum, { accounts }) => sum + accounts, 0) }
}

/** Counts the accounts that must accept a new version: confirmed and not closed. */
export async function accountsToAccept(pool: Database): Promise<number> {
  return (await store.countAcceptances(pool)).reduce((sum, { accounts }) => sum + accounts, 0)
}
