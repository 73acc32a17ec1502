import { isDeepStrictEqual } from 'node:util'
import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { readRole, requireMember } from '#server/accounts/permissions.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { maxAlerts, type NewAlert } from '#server/api/contract/market-alerts.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import { type AlertDeps, alertColumns } from './alert-deps.ts'
import { type AlertSettings, readSettings } from './alert-settings.ts'
import { getMarket, readState } from './compare.ts'

/** Member who changes an alert, and the account and mode of the alert. Alerts in the portal are live. */
export type AlertOwner = {
  readonly accountId: number
  readonly signInId: number
  readonly mode: Mode
  readonly by: Actor & { readonly memberId?: number | null }
}

/** Dependencies of changes to alerts. */
export type AlertManaging = Pick<AlertDeps, 'pool' | 'filters' | 'latest'>

type Deps = AlertManaging

export const unknownAlert = () => new RefusedError(refuse('not_found', {}, 'Alert not found. It may have been deleted.'))

/** Returns the state of the market that an alert starts from, so that its first evaluation reports only later changes. */
function getBaseline({ filters }: Deps, settings: AlertSettings, snapshot: MarketSnapshot, mode: Mode) {
  return {
    evaluatedVersion: snapshot.version,
    state: readState(settings, getMarket(snapshot, mode), filters) as unknown as Prisma.InputJsonObject,
  }
}

/** Columns with an alert's settings. */
const toColumns = ({ filter, providers, ...settings }: AlertSettings) => ({ ...settings, filter, providers: [...providers] })

/** Creates an alert. It reports changes from now on. @throws FieldsError, AccessError */
export async function createAlert(deps: Deps, { accountId, signInId, mode, by }: AlertOwner, given: NewAlert): Promise<{ id: string }> {
  const snapshot = await deps.latest()
  const settings = readSettings(deps, given, getMarket(snapshot, mode))
  const [id, createdAt] = [newPublicId('alr'), new Date(clock.now())]
  await inTransaction(deps.pool, async (tx) => {
    // Locks the account, so that two alerts created at the same time can't exceed the limit.
    await requireMember(tx, accountId, signInId, 'alerts.create')
    const { plan } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { plan: true } })
    if ((await tx.marketAlert.count({ where: { accountId, mode } })) >= maxAlerts[plan])
      throw new FieldsError({ form: `Your plan includes ${maxAlerts[plan]} alerts. Delete one first.` })
    const data = { ...toColumns(settings), ...getBaseline(deps, settings, snapshot, mode), mode, publicId: id, accountId, memberId: signInId, createdAt }
    await tx.marketAlert.create({ data, select: { id: true } })
    await writeAudit(tx, { ...by, accountId, action: 'market-alert.create', subject: id, after: settings })
  })
  return { id }
}

type AlertAction = 'update' | 'pause' | 'resume' | 'delete'

const settingsColumns = {
  ...alertColumns,
  id: true,
  memberId: true,
  pausedAt: true,
  evaluatedVersion: true,
} as const satisfies Prisma.MarketAlertSelect

/** Alert before a change. */
type StoredAlert = { readonly id: number; readonly memberId: number; readonly pausedAt: Date | null; readonly evaluatedVersion: number } & AlertSettings

/** Entry for the audit log; null if the change has no details, and 'unchanged' if there is nothing to write. */
type Entry = { readonly before?: object; readonly after?: object } | null | 'unchanged'

/** Changes an alert and writes an audit entry. Locks the account first. @throws RefusedError not_found, AccessError */
async function change(
  { pool }: Deps,
  { accountId, signInId, mode, by }: AlertOwner,
  id: string,
  action: AlertAction,
  work: (tx: Transaction, alert: StoredAlert) => Promise<Entry>,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await requireMember(tx, accountId, signInId, `alerts.${action}`)
    const alert = await tx.marketAlert.findUnique({ where: { publicId: id, accountId, mode }, select: settingsColumns })
    if (!alert) throw unknownAlert()
    const entry = await work(tx, alert as unknown as StoredAlert)
    if (entry !== 'unchanged') await writeAudit(tx, { ...by, accountId, action: `market-alert.${action}`, subject: id, ...entry })
  })
}

const update = (tx: Transaction, id: number, data: Prisma.MarketAlertUpdateInput) =>
  tx.marketAlert.update({ where: { id }, data: { ...data, revision: { increment: 1 } }, select: { id: true } })

const toSettings = ({ name, kind, filter, providers, frequency, byEmail, byWebhook }: AlertSettings): AlertSettings => ({
  kind,
  filter,
  providers,
  name,
  frequency,
  byEmail,
  byWebhook,
})

/** Returns a snapshot that is not older than the one that an alert was last evaluated with, so that its version never decreases. */
const notBefore = async ({ latest }: Deps, { evaluatedVersion }: StoredAlert, snapshot: MarketSnapshot): Promise<MarketSnapshot> =>
  snapshot.version < evaluatedVersion ? await latest() : snapshot

const getTracked = ({ kind, filter, providers }: AlertSettings) => JSON.stringify([kind, Object.entries(filter).sort(), [...providers].sort()])

/** Changes the settings of an alert. If this changes what the alert tracks, it reports changes from now on. @throws FieldsError, RefusedError not_found */
export async function updateAlert(deps: Deps, owner: AlertOwner, id: string, given: NewAlert | ((current: AlertSettings) => NewAlert)): Promise<void> {
  const snapshot = await deps.latest()
  await change(deps, owner, id, 'update', async (tx, alert) => {
    const before = toSettings(alert)
    const settings = readSettings(deps, typeof given === 'function' ? given(before) : given, getMarket(snapshot, owner.mode))
    // The emails go to the member who created the alert, so nobody else can turn them on.
    if (settings.byEmail && !alert.byEmail && alert.memberId !== owner.signInId)
      throw new FieldsError({
        delivery: 'This alert emails only the person who created it, so only they can turn emails on. To get emails, create your own alert.',
      })
    if (isDeepStrictEqual(before, settings)) return 'unchanged'
    const baseline = getTracked(alert) === getTracked(settings) ? {} : getBaseline(deps, settings, await notBefore(deps, alert, snapshot), owner.mode)
    await update(tx, alert.id, { ...toColumns(settings), ...baseline })
    return { before, after: settings }
  })
}

/** Pauses an alert. Its unsent notifications are not emailed. @throws RefusedError not_found */
export const pauseAlert = (deps: Deps, owner: AlertOwner, id: string): Promise<void> =>
  change(deps, owner, id, 'pause', async (tx, alert) => {
    await update(tx, alert.id, { pausedAt: new Date(clock.now()) })
    return null
  })

/** Resumes a paused alert. It reports changes from now on. @throws RefusedError not_found */
export async function resumeAlert(deps: Deps, owner: AlertOwner, id: string): Promise<void> {
  const snapshot = await deps.latest()
  await change(deps, owner, id, 'resume', async (tx, alert) => {
    if (alert.pausedAt === null) return 'unchanged'
    await update(tx, alert.id, { pausedAt: null, ...getBaseline(deps, toSettings(alert), await notBefore(deps, alert, snapshot), owner.mode) })
    return null
  })
}

/** Deletes an alert and its notifications. @throws RefusedError not_found */
export const deleteAlert = (deps: Deps, owner: AlertOwner, id: string): Promise<void> =>
  change(deps, owner, id, 'delete', async (tx, alert) => {
    await tx.marketAlert.delete({ where: { id: alert.id }, select: { id: true } })
    return null
  })

/**
 * Returns the member who owns the alerts of a key and gets their emails: the one who created the key or, if that member can no longer change alerts, the owner
 * of the account.
 */
export async function findKeyOwner(db: Db, accountId: number, keyId: number): Promise<number> {
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId }, select: { id: true, ownerId: true } })
  const key = await db.apiKey.findUnique({ where: { id: keyId }, select: { createdById: true } })
  const creator = key?.createdById ?? null
  const role = creator === null ? null : await readRole(db, account, creator)
  return creator === null || role === null || role === 'read_only' ? (account.ownerId ?? account.id) : creator
}
