import { dayMs } from '#server/api/contract/dates.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { creditsPerEvent, type DeliveryState, type EventType, healthDays, keptDeliveryDays } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { cancelDeleted, forgetDeliveries, forgetEvents, readHours } from './deliveries.sql.ts'
import { findEndpoint } from './endpoints.ts'
import { deleteClosedEndpoints } from './manage-endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const deliverySelect = {
  id: true,
  publicId: true,
  eventId: true,
  event: { select: { type: true } },
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

const toDelivery = ({ id: _, publicId, eventId, event, dueAt, chargedAt, ...delivery }: StoredDelivery) => ({
  ...delivery,
  id: publicId,
  event: eventId,
  type: event.type as EventType,
  /** Time of the next attempt; null if there is none. */
  dueAt: delivery.state === 'waiting' ? dueAt : null,
  chargedCredits: chargedAt === null ? 0 : creditsPerEvent,
})

const pageSize = 50
const maxAttempts = 100

/** Turns up to 51 rows into a page of 50 deliveries. */
function toPage(rows: readonly StoredDelivery[]) {
  const shown = rows.slice(0, pageSize)
  return { deliveries: shown.map(toDelivery), next: rows.length > pageSize ? String(shown.at(-1)?.id) : null }
}

export type DeliveryFilter = { readonly state: DeliveryState | null; readonly type: string | null }

/** Returns a page of 50 deliveries, newest first. `cursor` is the previous page's `next`, or null. @throws RefusedError not_found */
export async function getDeliveries(
  { pool: db }: WebhookDeps,
  accountId: number,
  endpoint: string,
  { state, type, cursor }: DeliveryFilter & { cursor: string | null },
) {
  const { id: endpointId } = await findEndpoint(db, accountId, endpoint)
  const filters = [state === null ? {} : { state }, type === null ? {} : { event: { type } }, cursor === null ? {} : { id: { lt: BigInt(cursor) } }]
  const where = { endpointId, AND: filters }
  return toPage(await db.webhookDelivery.findMany({ where, orderBy: { id: 'desc' }, take: pageSize + 1, select: deliverySelect }))
}

/** Returns a page of 50 of an endpoint's failed or held deliveries, oldest first. `cursor` is the previous page's `next`, or null. */
export async function getOldestDeliveries(db: Database, endpointId: number, failure: Prisma.WebhookDeliveryWhereInput, cursor: string | null) {
  const where = { endpointId, AND: [failure, cursor === null ? {} : { id: { gt: BigInt(cursor) } }] }
  return toPage(await db.webhookDelivery.findMany({ where, orderBy: { id: 'asc' }, take: pageSize + 1, select: deliverySelect }))
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
  if (!found) throw new RefusedError(refuse('not_found', {}, 'Delivery not found.'))
  const { endpoint, tries, ...delivery } = found
  const { createdAt: eventAt, data, dataWithLogos } = found.event
  return {
    ...toDelivery(delivery),
    endpoint: endpoint.publicId,
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

const batchSize = 5_000

/** Cancels deliveries to deleted endpoints and deletes records past their retention, in batches. */
export async function tidyDeliveries({ pool: db }: Pick<WebhookDeps, 'pool'>, signal?: AbortSignal): Promise<void> {
  await deleteClosedEndpoints(db)
  const now = clock.now()
  const before = new Date(now - keptDeliveryDays * dayMs)
  const works = [() => cancelDeleted(db, new Date(now), batchSize), () => forgetDeliveries(db, before, batchSize), () => forgetEvents(db, before, batchSize)]
  for (const work of works) for (let done = batchSize; done === batchSize && !signal?.aborted; ) done = await work()
}
