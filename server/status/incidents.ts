import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Incident, IncidentImpact, IncidentState } from '#server/api/contract/incidents.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { notifyConfigChanged } from '#server/metering/service-state.ts'
import { notifySubscribers } from './subscribers.ts'

/** Maximum number of incidents on the status page and in its feed. */
const maxIncidents = 50

/** Maximum number of updates shown per incident. */
const maxUpdates = 100

export const maxIncidentText = { title: 120, body: 2_000 } as const

const columns = {
  publicId: true,
  title: true,
  impact: true,
  startedAt: true,
  resolvedAt: true,
  updates: { orderBy: { id: 'desc' }, take: maxUpdates, select: { state: true, body: true, at: true } },
} as const satisfies Prisma.IncidentSelect

const toIncident = ({ publicId, impact, updates, ...row }: Prisma.IncidentGetPayload<{ select: typeof columns }>): Incident => ({
  ...row,
  id: publicId,
  impact: impact as IncidentImpact,
  updates: updates.map((update) => ({ ...update, state: update.state as IncidentState })),
})

/** Returns the latest incidents, newest first. */
export async function publishedIncidents(db: Database): Promise<Incident[]> {
  const orderBy = [{ startedAt: 'desc' }, { id: 'desc' }] as const
  return (await db.incident.findMany({ orderBy: [...orderBy], take: maxIncidents, select: columns })).map(toIncident)
}

/** Counts the incidents that aren't resolved, and returns the start of the oldest. */
export async function countUnresolved(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const { _count: count, _min: min } = await db.incident.aggregate({ where: { resolvedAt: null }, _count: true, _min: { startedAt: true } })
  return { count, oldest: min.startedAt }
}

/** Returns an incident. @throws RefusedError not_found */
export async function findIncident(db: Db, id: string): Promise<Incident> {
  const found = await db.incident.findUnique({ where: { publicId: id }, select: columns })
  if (found === null) throw new RefusedError(refuse('not_found', {}, 'Incident not found.'))
  return toIncident(found)
}

export type NewIncident = {
  readonly title: string
  readonly impact: IncidentImpact
  readonly state: IncidentState
  readonly body: string
  /** Start of the incident; null if it starts now. */
  readonly startedAt: Date | null
}

/** Publishes an incident with its first update, and returns its id. @throws FieldsError if the start is in the future */
export async function openIncident(db: Database, by: AdminActor, { title, impact, state, body, startedAt }: NewIncident): Promise<string> {
  const [now, id] = [new Date(clock.now()), newPublicId('inc')]
  refuseFaults({ startedAt: startedAt !== null && startedAt > now ? 'The start must be in the past.' : null })
  const resolvedAt = state === 'resolved' ? now : null
  await inTransaction(db, async (tx) => {
    const updates = { create: [{ state, body, at: now }] }
    await tx.incident.create({ data: { publicId: id, title, impact, startedAt: startedAt ?? now, resolvedAt, updates }, select: { id: true } })
    await notifySubscribers(tx, await findIncident(tx, id))
    await writeAudit(tx, { ...by, accountId: null, action: 'incident.open', subject: id, after: { title, impact, state } })
    await notifyConfigChanged(tx)
  })
  return id
}

export type NewUpdate = { readonly id: string; readonly impact: IncidentImpact; readonly state: IncidentState; readonly body: string }

/** Publishes an update. `resolved` ends the incident; any other state reopens a resolved one. @throws RefusedError not_found */
export async function updateIncident(db: Database, by: AdminActor, { id, impact, state, body }: NewUpdate): Promise<void> {
  const at = new Date(clock.now())
  await inTransaction(db, async (tx) => {
    const before = await findIncident(tx, id)
    const resolvedAt = state === 'resolved' ? (before.resolvedAt ?? at) : null
    const data = { impact, resolvedAt, updates: { create: [{ state, body, at }] } }
    await tx.incident.update({ where: { publicId: id }, data, select: { id: true } })
    await notifySubscribers(tx, await findIncident(tx, id))
    await writeAudit(tx, {
      ...by,
      accountId: null,
      action: 'incident.update',
      subject: id,
      before: { impact: before.impact, state: before.updates[0]?.state ?? null },
      after: { impact, state },
    })
    await notifyConfigChanged(tx)
  })
}
