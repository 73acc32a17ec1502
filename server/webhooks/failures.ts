import type { Prisma } from '#server/db/generated/client.ts'
import { countFailing, type FailureFilter, type FailureKind, readFailing } from './deliveries.sql.ts'
import { getDelivery, getOldestDeliveries } from './deliveries.ts'
import { findEndpoint, unknownEndpoint } from './endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

export type { FailureFilter, FailureKind }

/** Maximum number of deliveries shown exactly; larger numbers are shown as "more than 1,000". */
const maxCountedFailures = 1_000
const pageSize = 50
/** Maximum number of endpoints that are searched for the oldest deliveries. */
const maxEndpoints = 10_000

type FailureContext = Pick<WebhookDeps, 'pool'>

/** Returns a page of 50 endpoints that have matching deliveries. The endpoint with the oldest delivery comes first. `next` is the cursor of the next page. */
export async function failingEndpoints({ pool }: FailureContext, filter: FailureFilter, after: string | null) {
  const rows = await readFailing(pool, filter, after, { rows: pageSize + 1, candidates: maxEndpoints, counted: maxCountedFailures + 1 })
  const shown = rows.slice(0, pageSize)
  const endpoints = shown.map(({ oldestId: _, ...row }) => row)
  return { endpoints, maxCounted: maxCountedFailures, next: rows.length > pageSize ? (shown.at(-1)?.oldestId ?? null) : null }
}

/** Counts the endpoints that have deliveries of this kind, up to 10,000, and returns the creation time of the oldest delivery. */
export const waitingFailures = ({ pool }: FailureContext, kind: FailureKind): Promise<{ count: number; oldest: Date | null }> =>
  countFailing(pool, kind, maxEndpoints)

const conditions: Readonly<Record<FailureKind, Prisma.WebhookDeliveryWhereInput>> = {
  dead: { state: 'dead' },
  retrying: { state: 'waiting', attempts: { gt: 0 } },
  held: { state: 'waiting' },
}

/** Returns an endpoint of any account, with a page of 50 matching deliveries, oldest first. @throws RefusedError not_found */
export async function getFailures({ pool: db }: FailureContext, id: string, { kind, type }: Omit<FailureFilter, 'account'>, after: string | null) {
  const { id: endpointId, accountId, url, state, failingSince } = await findEndpoint(db, null, id)
  const failure = { ...conditions[kind], ...(type === null ? {} : { event: { type } }) }
  const [{ publicId: account }, page] = await Promise.all([
    db.account.findUniqueOrThrow({ where: { id: accountId }, select: { publicId: true } }),
    getOldestDeliveries(db, endpointId, failure, after),
  ])
  return { endpoint: id, account, url, state, failingSince, ...page }
}

/** Returns the account that owns an endpoint. @throws RefusedError not_found */
export const getOwner = async ({ pool: db }: FailureContext, endpoint: string): Promise<number> => (await findEndpoint(db, null, endpoint)).accountId

/** Returns a delivery of any account, with its attempts. @throws RefusedError not_found */
export async function anyDelivery(deps: WebhookDeps, endpoint: string, id: string) {
  const delivery = await getDelivery(deps, await getOwner(deps, endpoint), id)
  if (delivery.endpoint !== endpoint) throw unknownEndpoint()
  return delivery
}
