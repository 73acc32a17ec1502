import type { Pool, PoolClient } from 'pg'
import { acceptLicenceForService } from '#server/accounts/accounts.ts'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { dayInWords } from '#server/api/contract/months.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { askForMailing } from '#server/email/mailings.ts'
import { newPublicId } from '#server/ids.ts'
import { countKeyHolders } from '#server/keys/key-holders.ts'
import { announceSharedFacts } from '#server/metering/service-state.ts'
import { announceNewChange, holdChanges } from '../changelog/publish-change.ts'
import * as store from './licences.store.ts'

/** What is written of a version that is to come. */
export type NewLicence = {
  readonly label: string
  readonly changes: string
  readonly body: string
  /** Day in UTC with whose beginning the grace ends, such as 2026-11-30. */
  readonly graceEndsOn: string
}

export type LicenceDraft = NewLicence & { readonly id: string; readonly revision: number; readonly changedAt: Date }

/** A draft as somebody saw it: as long as nobody changes it, its revision is the same. */
export type SeenLicence = { readonly id: string; readonly revision: number }

const mostDrafts = 100
const most = { changes: 2_000, body: 100_000 } as const

/** Whoever reads of a version in the mail has so long, at the least, to read and accept it. */
const leastGraceDays = 14
const dayMs = 86_400_000

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

const fromDb = ({ grace_ends_at, changed_at, ...row }: store.LicenceDraftRow): LicenceDraft => ({
  ...row,
  graceEndsOn: dayOf(grace_ends_at),
  changedAt: changed_at,
})

const unknownDraft = () => new RefusedError(refuse('not_found', {}, 'There is no such draft.'))

export const licenceDrafts = async (pool: Pool): Promise<Pick<LicenceDraft, 'id' | 'label' | 'changedAt'>[]> =>
  (await store.readLicenceDrafts(pool, mostDrafts)).map(({ id, label, changed_at }) => ({ id, label, changedAt: changed_at }))

/** @throws RefusedError not_found */
export async function licenceDraft(pool: Pool, id: string): Promise<LicenceDraft> {
  const row = await store.readLicenceDraft(pool, id)
  if (!row) throw unknownDraft()
  return fromDb(row)
}

const isLength = (text: string, longest: number) => text !== '' && text.length <= longest

/** The moment with which a day begins; null: there is no such day. */
function momentOf(day: string): Date | null {
  const moment = new Date(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : Number.NaN)
  return Number.isNaN(moment.getTime()) || dayOf(moment) !== day ? null : moment
}

/** The first day with whose beginning a grace that begins now may end. */
const firstGraceDay = (): string => dayOf(new Date(Math.ceil(clock.now() / dayMs + leastGraceDays) * dayMs))

const graceFault = (): string => `The grace must last ${leastGraceDays} days or more: enter ${dayInWords(firstGraceDay())} or a later day.`

/** What is wrong with each part of a version to come. */
export const licenceFaults = {
  label: (label: string) => (/^v\d{4}-(?:0[1-9]|1[0-2])$/.test(label.trim()) ? null : 'The label must be a year and a month such as v2027-01.'),
  changes: (changes: string) => (isLength(changes.trim(), most.changes) ? null : `Say what changed, in up to ${most.changes} characters.`),
  graceEndsOn: (day: string) => {
    const moment = momentOf(day.trim())
    return moment && moment.getTime() >= clock.now() + leastGraceDays * dayMs ? null : graceFault()
  },
  body: (body: string) => (isLength(body.trim(), most.body) ? null : `The text must have 1 to ${most.body} characters.`),
} satisfies Record<keyof NewLicence, (text: string) => string | null>

/** @throws FieldsError */
function checked(given: NewLicence): store.LicenceText {
  const names = ['label', 'changes', 'graceEndsOn', 'body'] as const
  refuseFaults(Object.fromEntries(names.map((name) => [name, licenceFaults[name](given[name])])))
  const graceEndsAt = momentOf(given.graceEndsOn.trim())
  if (graceEndsAt === null) throw new FieldsError({ graceEndsOn: 'Enter a day.' })
  return { label: given.label.trim(), changes: given.changes.trim(), body: given.body.trim().replaceAll('\r\n', '\n'), graceEndsAt }
}

/** What is wrong with the label of a version to come: callers see the newest version by its label, so each is above the one before. */
async function labelFault(client: PoolClient, label: string): Promise<string | null> {
  const newest = await store.readHighestLabel(client)
  if (newest === undefined || label > newest) return null
  return label === newest ? `${label} is published already. Choose another label.` : `${newest} is published already. Choose a label above it.`
}

/** Begins a draft and returns its id. @throws FieldsError */
export async function beginLicence(pool: Pool, by: AdminActor, given: NewLicence): Promise<string> {
  const [id, text] = [newPublicId('lic'), checked(given)]
  await inTransaction(pool, async (client) => {
    refuseFaults({ label: await labelFault(client, text.label) })
    await store.insertLicenceDraft(client, id, text)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.draft', subject: id, after: { label: text.label } })
  })
  return id
}

/** Holds a draft that is still what was seen. @throws RefusedError not_found; FieldsError */
async function hold(client: PoolClient, { id, revision }: SeenLicence): Promise<LicenceDraft> {
  const row = await store.lockLicenceDraft(client, id)
  if (!row) throw unknownDraft()
  refuseFaults({ form: row.revision === revision ? null : 'Somebody changed this draft meanwhile. Open the page again to see it.' })
  return fromDb(row)
}

/** What a line of the audit log holds of a draft: its text is long, and only what was published counts. */
const summary = ({ label, changes, graceEndsOn, body }: NewLicence) => ({ label, changes, graceEndsOn, characters: body.length })

/** @throws RefusedError not_found; FieldsError */
export async function rewriteLicence(pool: Pool, by: AdminActor, seen: SeenLicence, given: NewLicence): Promise<void> {
  const text = checked(given)
  const after = { ...text, graceEndsOn: dayOf(text.graceEndsAt) }
  await inTransaction(pool, async (client) => {
    const before = await hold(client, seen)
    const isSame = (['label', 'changes', 'body', 'graceEndsOn'] as const).every((name) => before[name] === after[name])
    refuseFaults({
      form: isSame ? 'This is what the draft says already.' : null,
      label: await labelFault(client, text.label),
    })
    await store.updateLicenceDraft(client, seen.id, text)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.rewrite', subject: seen.id, before: summary(before), after: summary(after) })
  })
}

/** @throws RefusedError not_found; FieldsError */
export async function discardLicence(pool: Pool, by: AdminActor, seen: SeenLicence): Promise<void> {
  await inTransaction(pool, async (client) => {
    const before = await hold(client, seen)
    await store.deleteLicenceDraft(client, seen.id)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.discard', subject: seen.id, before: summary(before) })
  })
}

/**
 * Publishes a version: from now on it is the one that is accepted, and everybody has to accept it before the grace ends. It stands in the changelog, and accounts
 * with an active key are told by mail; all of that holds, or nothing. Returns the label and how many are told.
 * @throws RefusedError not_found; FieldsError
 */
export async function publishLicence(pool: Pool, by: AdminActor, seen: SeenLicence): Promise<{ label: string; told: number }> {
  return inTransaction(pool, async (client) => {
    // Of two who publish at once the second sees what the first has published.
    await holdChanges(client)
    const draft = await hold(client, seen)
    const { label, changes, graceEndsAt, body } = checked(draft)
    refuseFaults({ form: await labelFault(client, label) })
    const change = { kind: 'changed', title: `Data Licence ${label}`, body: `${changes}\n\n[Read it](/licence/${label}).`, endpointIds: [] } as const
    const { told } = await announceNewChange(client, change, async () => {
      await askForMailing(client, 'licence', label, { label, changes, graceEndsAt: graceEndsAt.toISOString() })
      return countKeyHolders(client)
    })
    await store.insertVersion(client, { label, changes, graceEndsAt, body })
    await acceptLicenceForService(client, label)
    await store.deleteLicenceDraft(client, seen.id)
    await writeAudit(client, { ...by, accountId: null, action: 'licence.publish', subject: label, after: { ...summary(draft), told } })
    await announceSharedFacts(client)
    return { label, told }
  })
}
