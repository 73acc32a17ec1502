import type { WebhookState } from '#server/api/contract/webhooks.ts'
import { type Delivery, deliveryFromDb, getDelivery, type OneDelivery } from './deliveries.ts'
import { readAccount, readEndpoint } from './endpoints.store.ts'
import { unknownEndpoint } from './endpoints.ts'
import { countFailing, type FailureFilter, type FailureKind, readFailing, readOldest } from './failures.store.ts'
import type { WebhookDeps } from './webhook-deps.ts'

export type { FailureFilter, FailureKind }

/** Endpoint with failed or held deliveries, as shown to administrators. */
export type FailingEndpoint = {
  readonly endpoint: string
  readonly account: string
  readonly url: string
  readonly state: WebhookState
  readonly failingSince: Date | null
  /** Creation time of the oldest of these deliveries. */
  readonly oldestAt: Date
  /** Number of these deliveries, counted up to `maxCountedFailures` + 1. */
  readonly count: number
}

/** Highest count of deliveries that is shown exactly; larger ones are shown as "more than 1,000". */
const maxCountedFailures = 1_000
const pageSize = 50
/** Maximum number of endpoints that are searched for the oldest deliveries. */
const maxEndpoints = 10_000

type FailureContext = Pick<WebhookDeps, 'pool'>

/** Returns a page of 50 endpoints with deliveries of the filter's kind, the one with the oldest delivery first. `next` is the cursor of the next page. */
export async function failingEndpoints({ pool }: FailureContext, filter: FailureFilter, after: string | null) {
  const rows = await readFailing(pool, filter, after, { rows: pageSize + 1, candidates: maxEndpoints, counted: maxCountedFailures + 1 })
  const shown = rows.slice(0, pageSize)
  const endpoints = shown.map(
    ({ failing_since: failingSince, oldest_at: oldestAt, oldest_id: _, ...row }): FailingEndpoint => ({ ...row, failingSince, oldestAt }),
  )
  return { endpoints, maxCounted: maxCountedFailures, next: rows.length > pageSize ? (shown.at(-1)?.oldest_id ?? null) : null }
}

/** Counts the endpoints with deliveries of this kind, up to 10,000, and returns when the oldest of these deliveries was created. */
export const waitingFailures = ({ pool }: FailureContext, kind: FailureKind): Promise<{ count: number; oldest: Date | null }> =>
  countFailing(pool, kind, maxEndpoints)

/** Returns an endpoint of any account, with a page of 50 of its deliveries of the filter's kind, oldest first. @throws RefusedError not_found */
export async function getFailures({ pool }: FailureContext, id: string, filter: Omit<FailureFilter, 'account'>, after: string | null) {
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

/** Returns the account that owns an endpoint. @throws RefusedError not_found */
export async function getOwner({ pool }: FailureContext, endpoint: string): Promise<number> {
  const row = await readEndpoint(pool, null, endpoint)
  if (!row) throw unknownEndpoint()
  return Number(row.account_id)
}

/** Returns a delivery of any account, with its attempts. @throws RefusedError not_found */
export async function anyDelivery(deps: WebhookDeps, endpoint: string, id: string): Promise<OneDelivery> {
  const delivery = await getDelivery(deps, await getOwner(deps, endpoint), id)
  if (delivery.endpoint !== endpoint) throw unknownEndpoint()
  return delivery
}
