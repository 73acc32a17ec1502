import { dayMs } from '#server/api/contract/dates.ts'
import type { PageRequest } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { creditsPerEvent, type DeliveryState, type EventType, healthDays, keptDeliveryDays } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import {
  cancelDeleted,
  countFailing,
  type FailureFilter,
  type FailureKind,
  findNewest,
  forgetDeliveries,
  forgetEndpoints,
  forgetEvents,
  type NewestFilter,
  readFailing,
  readHours,
} from './deliveries.sql.ts'
import { readCursor, toCursor } from './delivery-cursor.ts'
import { findEndpoint, unknownEndpoint } from './endpoints.ts'
import { deleteClosedEndpoints } from './manage-endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const deliverySelect = {
  id: true,
  publicId: true,
  eventId: true,
  event: { select: { type: true } },
  endpoint: { select: { publicId: true } },
  isTest: true,
  /** Events about the account itself are free. */
  isFree: true,
  state: true,
  /** Number of attempts in the current round. Redelivery starts a new round. */
  attempts: true,
  dueAt: true,
  createdAt: true,
  deliveredAt: true,
  chargedAt: true,
  /** True if the event was delivered while the balance was too low. It is charged as soon as the account has enough credits. */
  isOwed: true,
  lastStatus: true,
} as const satisfies Prisma.WebhookDeliverySelect

type StoredDelivery = Prisma.WebhookDeliveryGetPayload<{ select: typeof deliverySelect }>

const toDelivery = ({ id: _, publicId, eventId, event, endpoint, dueAt, chargedAt, ...delivery }: StoredDelivery) => ({
  ...delivery,
  id: publicId,
  /** Public id of the endpoint. */
  endpoint: endpoint.publicId,
  event: eventId,
  type: event.type as EventType,
  /** Time of the next attempt; null if there is none. */
  dueAt: delivery.state === 'waiting' ? dueAt : null,
  chargedCredits: chargedAt === null ? 0 : creditsPerEvent,
})

/** Delivery in a list. */
export type Delivery = ReturnType<typeof toDelivery>

const pageSize = 50
const maxAttempts = 100

/** Turns up to 51 rows into a page of 50 deliveries. */
function toPage(rows: readonly StoredDelivery[], toNext: (last: StoredDelivery) => string = toCursor) {
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return { deliveries: shown.map(toDelivery), next: rows.length > pageSize && last ? toNext(last) : null }
}

/** Reads deliveries by id, newest first. */
const readNewest = (db: Db, ids: readonly bigint[]) =>
  db.webhookDelivery.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'desc' }, take: ids.length, select: deliverySelect })

/** Returns the cursor of the position at which a search ended early, if it did. The next page continues there. */
async function readEnd(db: Db, id: bigint | null): Promise<string[]> {
  const found = id === null ? null : await db.webhookDelivery.findUnique({ where: { id }, select: { publicId: true, createdAt: true } })
  return found ? [toCursor(found)] : []
}

type DeliveryQuery = { readonly state: DeliveryState | null; readonly type: string | null; readonly cursor: string | null }

/**
 * Returns a page of 50 deliveries, newest first, to one endpoint or, with null, to all of the account's. `cursor` is the previous page's `next`, or null.
 * @throws RefusedError not_found
 */
export async function getDeliveries({ pool: db }: WebhookDeps, accountId: number, endpoint: string | null, { state, type, cursor }: DeliveryQuery) {
  if (endpoint !== null) await findEndpoint(db, accountId, endpoint)
  const after = await readCursor(db, accountId, cursor)
  const { ids, end } = await findNewest(db, { accountId, mode: null, webhook: endpoint, state, type }, after, pageSize + 1)
  const { deliveries, next } = toPage(await readNewest(db, ids))
  return { deliveries, next: next ?? (await readEnd(db, end))[0] ?? null }
}

/** Returns a page of 50 of an endpoint's failed or held deliveries, oldest first, for administrators. `cursor` is the previous page's `next`, or null. */
async function findOldest(db: Database, endpointId: number, failure: Prisma.WebhookDeliveryWhereInput, cursor: string | null) {
  const where = { endpointId, AND: [failure, cursor === null ? {} : { id: { gt: BigInt(cursor) } }] }
  const rows = await db.webhookDelivery.findMany({ where, orderBy: { id: 'asc' }, take: pageSize + 1, select: deliverySelect })
  return toPage(rows, ({ id }) => String(id))
}

const attemptSelect = {
  round: true,
  attempt: true,
  at: true,
  outcome: true,
  status: true,
  fault: true,
  totalMs: true,
  firstByteMs: true,
  headers: true,
  body: true,
} as const satisfies Prisma.WebhookAttemptSelect

const fullSelect = {
  ...deliverySelect,
  event: { select: { type: true, createdAt: true, data: true, dataWithLogos: true } },
  endpoint: { select: { publicId: true, url: true, account: { select: { plan: true } } } },
  tries: { select: attemptSelect, orderBy: [{ round: 'desc' }, { attempt: 'desc' }], take: maxAttempts },
} as const satisfies Prisma.WebhookDeliverySelect

/** Returns a delivery with its attempts, newest first. @throws RefusedError not_found */
export async function getDelivery({ pool: db }: WebhookDeps, accountId: number, id: string) {
  const where = { accountId, publicId: id, endpoint: { state: { not: 'deleted' } } } as const
  const found = await db.webhookDelivery.findFirst({ where, select: fullSelect })
  if (!found) throw unknownDelivery()
  const { endpoint, tries, ...delivery } = found
  const { createdAt: eventAt, data, dataWithLogos } = found.event
  return {
    ...toDelivery({ ...delivery, endpoint }),
    url: endpoint.url,
    eventAt,
    /** The event's data, as sent. */
    data: JSON.parse(endpoint.account.plan === 'enterprise' ? dataWithLogos : data) as unknown,
    tries: tries.map(({ outcome, headers, body, ...attempt }) => ({
      ...attempt,
      isDelivered: outcome === 'delivered',
      headers: (headers ?? {}) as Record<string, string>,
      body: body ?? '',
    })),
  }
}

/** Returns true if the account may read a delivery's data: it is free, or it was charged or is owed. A failed attempt may not have sent anything. */
export const isDisclosed = ({ isTest, isFree, chargedCredits, isOwed }: Delivery): boolean => isTest || isFree || chargedCredits > 0 || isOwed

const unknownDelivery = () => new RefusedError(refuse('not_found', {}, 'Delivery not found.'))

/** Returns the public id of the endpoint of a delivery. @throws RefusedError not_found */
export async function findDeliveryEndpoint({ pool: db }: Pick<WebhookDeps, 'pool'>, accountId: number, id: string): Promise<string> {
  const where = { accountId, publicId: id, endpoint: { state: { not: 'deleted' } } } as const
  const found = await db.webhookDelivery.findFirst({ where, select: { endpoint: { select: { publicId: true } } } })
  if (!found) throw unknownDelivery()
  return found.endpoint.publicId
}

/** Returns a page of the deliveries to an account's endpoints of one mode, newest first. A search for a rare type may end early; `keys` then has one key more than there are rows. */
export async function listDeliveries({ pool: db }: Pick<WebhookDeps, 'pool'>, filter: NewestFilter, page: PageRequest) {
  const { ids, end } = await findNewest(db, filter, await readCursor(db, filter.accountId, page.after), page.limit + 1)
  const found = await readNewest(db, ids.slice(0, page.limit))
  const keys = [...found.map(toCursor), ...(await readEnd(db, end))]
  return { rows: found.map(toDelivery), more: ids.length > page.limit || keys.length > found.length, keys }
}

/** Returns an endpoint's health over the last seven days. @throws RefusedError not_found */
export async function getHealth({ pool: db }: WebhookDeps, accountId: number, endpoint: string) {
  const { id } = await findEndpoint(db, accountId, endpoint)
  const hours = await readHours(db, id, new Date(clock.now() - healthDays * dayMs))
  const [attempts, delivered] = [hours.reduce((sum, hour) => sum + hour.attempts, 0), hours.reduce((sum, hour) => sum + hour.delivered, 0)]
  return {
    attempts,
    /** Share of attempts that succeeded, 0 to 1; null without attempts. */
    successRate: attempts === 0 ? null : delivered / attempts,
    hours,
  }
}

/** Maximum number of deliveries shown exactly; larger numbers are shown as "more than 1,000". */
const maxCountedFailures = 1_000
/** Maximum number of endpoints that are searched for the oldest deliveries. */
const maxEndpoints = 10_000

/** Returns a page of 50 endpoints that have matching deliveries. The endpoint with the oldest delivery comes first. `next` is the cursor of the next page. */
export async function failingEndpoints({ pool }: Pick<WebhookDeps, 'pool'>, filter: FailureFilter, after: string | null) {
  const rows = await readFailing(pool, filter, after, { rows: pageSize + 1, candidates: maxEndpoints, counted: maxCountedFailures + 1 })
  const shown = rows.slice(0, pageSize)
  const endpoints = shown.map(({ oldestId: _, ...row }) => row)
  return { endpoints, maxCounted: maxCountedFailures, next: rows.length > pageSize ? (shown.at(-1)?.oldestId ?? null) : null }
}

/** Counts the endpoints that have deliveries of this kind, up to 10,000, and returns the creation time of the oldest delivery. */
export const waitingFailures = ({ pool }: Pick<WebhookDeps, 'pool'>, kind: FailureKind): Promise<{ count: number; oldest: Date | null }> =>
  countFailing(pool, kind, maxEndpoints)

const conditions: Readonly<Record<FailureKind, Prisma.WebhookDeliveryWhereInput>> = {
  dead: { state: 'dead' },
  retrying: { state: 'waiting', attempts: { gt: 0 } },
  held: { state: 'waiting' },
}

/** Returns an endpoint of any account, with a page of 50 matching deliveries, oldest first. @throws RefusedError not_found */
export async function getFailures({ pool: db }: Pick<WebhookDeps, 'pool'>, id: string, { kind, type }: Omit<FailureFilter, 'account'>, after: string | null) {
  const { id: endpointId, accountId, url, state, failingSince } = await findEndpoint(db, null, id)
  const failure = { ...conditions[kind], ...(type === null ? {} : { event: { type } }) }
  const [{ publicId: account }, page] = await Promise.all([
    db.account.findUniqueOrThrow({ where: { id: accountId }, select: { publicId: true } }),
    findOldest(db, endpointId, failure, after),
  ])
  return { endpoint: id, account, url, state, failingSince, ...page }
}

/** Returns the account that owns an endpoint. @throws RefusedError not_found */
export const getOwner = async ({ pool: db }: Pick<WebhookDeps, 'pool'>, endpoint: string): Promise<number> => (await findEndpoint(db, null, endpoint)).accountId

/** Returns a delivery of any account, with its attempts. @throws RefusedError not_found */
export async function anyDelivery(deps: WebhookDeps, endpoint: string, id: string) {
  const delivery = await getDelivery(deps, await getOwner(deps, endpoint), id)
  if (delivery.endpoint !== endpoint) throw unknownEndpoint()
  return delivery
}

const batchSize = 5_000

/** Cancels deliveries to deleted endpoints and deletes records past their retention, in batches. */
export async function tidyDeliveries({ pool: db }: Pick<WebhookDeps, 'pool'>, signal?: AbortSignal): Promise<void> {
  await deleteClosedEndpoints(db)
  const now = clock.now()
  const before = new Date(now - keptDeliveryDays * dayMs)
  const works = [
    () => cancelDeleted(db, new Date(now), batchSize),
    () => forgetDeliveries(db, before, batchSize),
    () => forgetEndpoints(db, batchSize),
    () => forgetEvents(db, before, batchSize),
  ]
  for (const work of works) for (let done = batchSize; done === batchSize && !signal?.aborted; ) done = await work()
}
