import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'

/** Configuration shared by all processes. When `version` changes, every process reloads it on its next request. */
export type ServiceState = {
  readonly version: number
  readonly marketVersion: number
  /** Availability overrides set by an administrator, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the current Data Licence version. */
  readonly licence: string
  /** True if a Data Licence version isn't in effect here yet because the clock that set its publication time is ahead of this one. */
  readonly awaitsLicence: boolean
}

const maxOverrides = 1_000

/** Returns the shared configuration. Reloads it only if its version differs from the version of `known`. */
export async function refreshServiceState(db: Database, known: ServiceState): Promise<ServiceState> {
  const state = await readVersions(db)
  return state.version === known.version && !known.awaitsLicence ? { ...known, ...state } : loadServiceState(db)
}

async function readVersions(db: Database) {
  const state = await db.serviceState.findFirst({ select: { version: true, marketVersion: true } })
  if (!state) throw new Error('The table service_state is empty. Run the migrations again.')
  return state
}

/**
 * Loads the shared configuration. Reads the version first: if a change is committed during the other reads, the version is outdated and the configuration is
 * loaded again.
 */
export async function loadServiceState(db: Database): Promise<ServiceState> {
  const state = await readVersions(db)
  const now = new Date(clock.now())
  const [overrides, licence, later] = await Promise.all([
    db.endpointOverride.findMany({ take: maxOverrides }),
    db.licenceVersion.findFirst({ where: { publishedAt: { lte: now } }, orderBy: { publishedAt: 'desc' }, select: { label: true } }),
    db.licenceVersion.findFirst({ where: { publishedAt: { gt: now } }, select: { label: true } }),
  ])
  const byEndpoint = new Map(overrides.map(({ endpointId, availability }) => [endpointId, availability as Availability]))
  return { ...state, overrides: byEndpoint, licence: licence?.label ?? dataLicence, awaitsLicence: later !== null }
}

/** Makes every process reload the shared configuration on its next request. Call it last in a transaction, because it locks a row that every change needs. */
export async function notifyConfigChanged(tx: Transaction): Promise<void> {
  await tx.serviceState.updateMany({ data: { version: { increment: 1 } } })
}

/** Returns the availability override for an endpoint, or null if it has none. Runs in the transaction that changes it. */
export async function getOverride(tx: Transaction, endpointId: string): Promise<Availability | null> {
  const override = await tx.endpointOverride.findUnique({ where: { endpointId }, select: { availability: true } })
  return (override?.availability ?? null) as Availability | null
}

/** Sets the availability override for an endpoint; null removes it. Takes effect once `notifyConfigChanged` is called. */
export async function setOverride(tx: Transaction, endpointId: string, availability: Availability | null): Promise<void> {
  if (availability === null) await tx.endpointOverride.deleteMany({ where: { endpointId } })
  else await tx.endpointOverride.upsert({ where: { endpointId }, create: { endpointId, availability }, update: { availability } })
}

/**
 * Uptime checks of a UTC day, one per minute: how many found the service ready (`good`) and how many did not (`bad`). `readAt` is the time of the last check.
 */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

const minuteMs = 60_000
const daysShown = 90
const daysKept = 400

/** Returns the start of the UTC date that was `days` days ago. */
const getDate = (days: number): Date => new Date(Math.floor(clock.now() / dayMs - days) * dayMs)

/** Returns the uptime for the last 90 days, oldest first. Days without checks are left out. */
export async function getRecentUptime(db: Database): Promise<readonly UptimeDay[]> {
  const days = await db.uptimeCheck.findMany({ where: { day: { gt: getDate(daysShown), lte: getDate(0) } }, orderBy: { day: 'asc' }, take: daysShown })
  return days.map((check) => ({ ...check, day: isoDay(check.day) }))
}

/** Records an uptime check for its UTC day, at most one a minute across all workers, and deletes records older than 400 days. */
async function recordUptimeCheck(db: Database, isGood: boolean): Promise<void> {
  const readAt = new Date(clock.now())
  const day = getDate(0)
  const [good, bad] = isGood ? [1, 0] : [0, 1]
  const minute = new Date(Math.floor(readAt.getTime() / minuteMs) * minuteMs)
  const data = { good: { increment: good }, bad: { increment: bad }, readAt }
  const { count } = await db.uptimeCheck.updateMany({ where: { day, readAt: { lt: minute } }, data })
  if (count > 0) return
  const created = await db.uptimeCheck.createMany({ data: [{ day, good, bad, readAt }], skipDuplicates: true })
  if (created.count > 0) await db.uptimeCheck.deleteMany({ where: { day: { lt: getDate(daysKept) } } })
}

const checkTimeoutMs = 10_000

/** Checks readiness as a load balancer does; no response means not ready. Returns null if the service is draining, because such a check doesn't count. */
async function canServe(origin: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]), redirect: 'error' })
    const body = (await response.json()) as { ok?: unknown; draining?: unknown }
    return body.draining === true ? null : response.ok && body.ok === true
  } catch {
    // An aborted check is not recorded.
    return signal.aborted ? null : false
  }
}

/** Checks whether the service at this origin is ready, and records the result. */
export async function checkUptime(db: Database, origin: string, signal: AbortSignal): Promise<void> {
  const isGood = await canServe(origin, signal)
  if (isGood !== null) await recordUptimeCheck(db, isGood)
}
