import type { WebhookState } from '#server/api/contract/webhooks.ts'
import { type Delivery, deliveryFromDb, deliveryOf, type OneDelivery } from './deliveries.ts'
import { readAccount, readEndpoint } from './endpoints.store.ts'
import { unknownEndpoint } from './endpoints.ts'
import { countFailing, type FailureFilter, type FailureKind, readFailing, readOldest } from './failures.store.ts'
import type { WebhookRoom } from './webhook-room.ts'

export type { FailureFilter, FailureKind }

/** An endpoint with deliveries that failed, as the desk reads it. */
export type FailingEndpoint = {
  readonly endpoint: string
  readonly account: string
  readonly url: string
  readonly state: WebhookState
  readonly failingSince: Date | null
  /** When the oldest of these deliveries was made. */
  readonly oldestAt: Date
  /** Deliveries of the kind, counted up to one more than `mostCountedFailures`. */
  readonly count: number
}

/** Beyond so many is "more than". */
const mostCountedFailures = 1_000
const pageSize = 50
/** Endpoints that are looked at for the oldest. */
const mostEndpoints = 10_000

type Room = Pick<WebhookRoom, 'pool'>

/** Endpoints with deliveries of a kind, that with the oldest one first, 50 a page; `next` is the place behind which the next page begins. */
export async function failingEndpoints({ pool }: Room, filter: FailureFilter, after: string | null) {
  const rows = await readFailing(pool, filter, after, { rows: pageSize + 1, candidates: mostEndpoints, counted: mostCountedFailures + 1 })
  const shown = rows.slice(0, pageSize)
  const endpoints = shown.map(
    ({ failing_since: failingSince, oldest_at: oldestAt, oldest_id: _, ...row }): FailingEndpoint => ({ ...row, failingSince, oldestAt }),
  )
  return { endpoints, mostCounted: mostCountedFailures, next: rows.length > pageSize ? (shown.at(-1)?.oldest_id ?? null) : null }
}

/** How many endpoints have deliveries of a kind, counted up to 10,000, and how old the oldest of these deliveries is. */
export const waitingFailures = ({ pool }: Room, kind: FailureKind): Promise<{ count: number; oldest: Date | null }> => countFailing(pool, kind, mostEndpoints)

/** An endpoint of anybody with its deliveries of a kind, oldest first, 50 a page. @throws RefusedError not_found */
export async function failuresOf({ pool }: Room, id: string, filter: Omit<FailureFilter, 'account'>, after: string | null) {
  const row = await readEndpoint(pool, null, id)
  if (!row) throw unknownEndpoint()
  const [account, rows] = await Promise.all([readAccount(pool, row.account_id), readOldest(pool, row.id, filter, after, pageSize + 1)])
  const shown = rows.slice(0, pageSize)
  const deliveries: Delivery[] = shown.map(deliveryFromDb)
  const { url, state, failing_since: failingSince } = row
  return {
    endpoint: id,
    account,
    url,
    state,
    failingSince,
    deliveries,
    next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** Of which account an endpoint is. @throws RefusedError not_found */
export async function ownerOf({ pool }: Room, endpoint: string): Promise<number> {
  const row = await readEndpoint(pool, null, endpoint)
  if (!row) throw unknownEndpoint()
  return Number(row.account_id)
}

/** A delivery of anybody's endpoint, with each attempt. @throws RefusedError not_found */
export async function anyDelivery(room: WebhookRoom, endpoint: string, id: string): Promise<OneDelivery> {
  const delivery = await deliveryOf(room, await ownerOf(room, endpoint), id)
  if (delivery.endpoint !== endpoint) throw unknownEndpoint()
  return delivery
}
