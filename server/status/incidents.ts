import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
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

type EnteredTimes = {
  readonly state: IncidentState
  /** Start of the incident; null if it starts now. */
  readonly startedAt: Date | null
  /** End of the incident; null if it ends now. Ignored unless the state is `resolved`. */
  readonly endedAt: Date | null
}

type IncidentTimes = Pick<Incident, 'startedAt' | 'resolvedAt'>

/** Returns the error for an end time; null if the time is valid. */
function findEndFault(end: Date, start: Date, now: Date): string | null {
  if (end > now) return 'The end must be in the past.'
  return end <= start && start < now ? 'The end must be after the start.' : null
}

/** Returns the start and end of an incident after an update. `before` has its current times; null if the incident is new. @throws FieldsError */
export function toIncidentTimes({ state, startedAt, endedAt }: EnteredTimes, before: IncidentTimes | null, now: Date): IncidentTimes {
  const start = before?.startedAt ?? startedAt ?? now
  const end = state === 'resolved' ? endedAt : null
  if (end !== null && before === null && startedAt === null) throw new FieldsError({ startedAt: 'Enter the start too.' })
  refuseFaults({ startedAt: start > now ? 'The start must be in the past.' : null, endedAt: end && findEndFault(end, start, now) })
  return { startedAt: start, resolvedAt: state === 'resolved' ? (end ?? before?.resolvedAt ?? now) : null }
}

export type NewIncident = EnteredTimes & { readonly title: string; readonly impact: IncidentImpact; readonly body: string }

/** Publishes an incident with its first update, and returns its id. @throws FieldsError if a time is in the future or the end is before the start */
export async function openIncident(db: Database, by: AdminActor, incident: NewIncident): Promise<string> {
  const { title, impact, state, body } = incident
  const [now, id] = [new Date(clock.now()), newPublicId('inc')]
  const times = toIncidentTimes(incident, null, now)
  await inTransaction(db, async (tx) => {
    const updates = { create: [{ state, body, at: now }] }
    await tx.incident.create({ data: { publicId: id, title, impact, ...times, updates }, select: { id: true } })
    await notifySubscribers(tx, await findIncident(tx, id))
    const after = { title, impact, state, ...enteredForAudit(incident) }
    await writeAudit(tx, { ...by, accountId: null, action: 'incident.open', subject: id, after })
    await notifyConfigChanged(tx)
  })
  return id
}

/** Returns the times that an administrator entered, for the audit log. */
const enteredForAudit = ({ state, startedAt, endedAt }: EnteredTimes) => ({
  ...(startedAt === null ? {} : { startedAt: startedAt.toISOString() }),
  ...(endedAt === null || state !== 'resolved' ? {} : { resolvedAt: endedAt.toISOString() }),
})

export type NewUpdate = Omit<EnteredTimes, 'startedAt'> & { readonly id: string; readonly impact: IncidentImpact; readonly body: string }

/**
 * Publishes an update. `resolved` ends the incident; any other state reopens a resolved one. @throws RefusedError not_found; FieldsError if the end time is not
 * valid
 */
export async function updateIncident(db: Database, by: AdminActor, { id, impact, state, body, endedAt }: NewUpdate): Promise<void> {
  const at = new Date(clock.now())
  const entered = { state, startedAt: null, endedAt }
  await inTransaction(db, async (tx) => {
    const before = await findIncident(tx, id)
    const { resolvedAt } = toIncidentTimes(entered, before, at)
    const data = { impact, resolvedAt, updates: { create: [{ state, body, at }] } }
    await tx.incident.update({ where: { publicId: id }, data, select: { id: true } })
    await notifySubscribers(tx, await findIncident(tx, id))
    await writeAudit(tx, {
      ...by,
      accountId: null,
      action: 'incident.update',
      subject: id,
      before: { impact: before.impact, state: before.updates[0]?.state ?? null },
      after: { impact, state, ...enteredForAudit(entered) },
    })
    await notifyConfigChanged(tx)
  })
}
