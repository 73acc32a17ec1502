import type { AdminActor } from '#server/accounts/audit.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { maxCountedWaiting } from '#server/api/contract/request-bounds.ts'
import { creditsPerEvent, type EventType, healthDays, maxWebhookEndpoints, type WebhookInterest, type WebhookState } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { countAttempts, countWaiting } from './queue.sql.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Actor who manages endpoints, and the account that owns them. A null `accountId` gives access to the endpoints of any account. */
export type WebhookOwner = { readonly accountId: number | null } & (
  | { readonly actor: 'account' | 'operator' | `key_${string}`; readonly address: string | null; readonly memberId?: number | null }
  | AdminActor
)

export type AccountOwner = WebhookOwner & { readonly accountId: number }

const select = {
  id: true,
  publicId: true,
  accountId: true,
  url: true,
  description: true,
  types: true,
  providers: true,
  accountTypes: true,
  minChangeBp: true,
  mode: true,
  state: true,
  stateReason: true,
  createdAt: true,
  failingSince: true,
  oldSecretEndsAt: true,
  nextAt: true,
  againFrom: true,
  againCount: true,
} as const satisfies Prisma.WebhookEndpointSelect

/** Endpoint that hasn't been deleted. */
export type StoredEndpoint = Omit<Prisma.WebhookEndpointGetPayload<{ select: typeof select }>, 'state'> & { readonly state: WebhookState }

/** Creates the error for an endpoint that doesn't exist or belongs to another account. The two cases must look the same. */
export const unknownEndpoint = () => new RefusedError(refuse('not_found', {}, 'Endpoint not found.'))

/** Finds an endpoint by public id. If `accountId` is null, as for operators, the endpoint may belong to any account. @throws RefusedError not_found */
export async function findEndpoint(db: Db, accountId: number | null, publicId: string): Promise<StoredEndpoint> {
  const where = { publicId, state: { not: 'deleted' }, ...(accountId === null ? {} : { accountId }) } as const
  const endpoint = await db.webhookEndpoint.findFirst({ where, select })
  if (!endpoint) throw unknownEndpoint()
  return endpoint as StoredEndpoint
}

/** Locks an endpoint until the transaction ends, and returns it. @throws RefusedError not_found */
export async function lockEndpoint(tx: Transaction, accountId: number | null, publicId: string): Promise<StoredEndpoint> {
  const { id } = await findEndpoint(tx, accountId, publicId)
  await lockRows(tx, 'webhook_endpoint', [id])
  return findEndpoint(tx, accountId, publicId)
}

/**
 * Returns the column values that make a locked endpoint's queue due immediately, even if the endpoint is backing off. An endpoint held for lack of credits may
 * then send free deliveries; the next claim holds it again.
 */
export const wakened = ({ state, nextAt }: StoredEndpoint, now: Date) =>
  ({ state: state === 'held' ? 'active' : state, restsUntil: null, nextAt: nextAt !== null && nextAt < now ? nextAt : now }) as const

/** Maximum number of attempts, newest first, that count towards the success rate. Limited, because listing endpoints is free. */
const maxCountedAttempts = 1_000

/** Returns the endpoints with their number of waiting deliveries and their success rate over the last seven days. */
async function withFigures(db: Database, endpoints: readonly StoredEndpoint[]) {
  const ids = endpoints.map(({ id }) => id)
  // One after the other, because `db` can be a transaction.
  const waiting = await countWaiting(db, ids, maxCountedWaiting + 1)
  const counts = await countAttempts(db, ids, new Date(clock.now() - healthDays * dayMs), maxCountedAttempts)
  return endpoints.map(({ id, publicId, accountId: _, nextAt: _nextAt, againFrom: _againFrom, againCount: _againCount, ...endpoint }) => {
    const { attempts, delivered } = counts.get(id) ?? { attempts: 0, delivered: 0 }
    const { oldSecretEndsAt } = endpoint
    return {
      ...endpoint,
      id: publicId,
      types: endpoint.types as EventType[],
      accountTypes: endpoint.accountTypes as WebhookInterest['accountTypes'],
      /** Reason why the service disabled the endpoint: the receiver returned 410, or every attempt failed for days. Null if the service hasn't disabled it. */
      stateReason: endpoint.stateReason as 'gone' | 'failures' | null,
      /** Time until which deliveries are also signed with the previous secret; null if that time has passed. */
      oldSecretEndsAt: oldSecretEndsAt !== null && oldSecretEndsAt.getTime() > clock.now() ? oldSecretEndsAt : null,
      /** Number of waiting deliveries, counted up to `maxCountedWaiting` + 1. */
      waiting: waiting.get(id) ?? 0,
      /** Proportion of attempts in the last seven days that succeeded, of the newest `maxCountedAttempts`, 0 to 1; null if there were none. */
      successRate: attempts === 0 ? null : delivered / attempts,
    }
  })
}

/** Webhook endpoint with its figures. */
export type Webhook = Awaited<ReturnType<typeof withFigures>>[number]

/** Returns an endpoint with its figures. @throws RefusedError not_found */
export async function findWebhook({ pool: db }: Pick<WebhookDeps, 'pool'>, accountId: number, id: string): Promise<Webhook> {
  const [webhook] = await withFigures(db, [await findEndpoint(db, accountId, id)])
  if (!webhook) throw unknownEndpoint()
  return webhook
}

export async function getWebhooks({ pool: db }: WebhookDeps, accountId: number) {
  const where = { accountId, state: { not: 'deleted' } } as const
  const endpoints = await db.webhookEndpoint.findMany({ where, orderBy: { id: 'asc' }, take: maxWebhookEndpoints, select })
  return withFigures(db, endpoints as StoredEndpoint[])
}

/**
 * Returns the reason why an endpoint is held. `isCapped` is true if the balance covers an event, so that only the monthly cap blocks it. `missingCredits` is
 * the number of credits needed on top of the balance to pay for all waiting and unpaid events; it can be 0.
 */
async function getShortage(db: Database, { id, accountId, state }: StoredEndpoint) {
  if (state !== 'held') return null
  const take = maxCountedWaiting + 1
  const chargeable = { isTest: false, isFree: false, chargedAt: null, isOwed: false }
  const [wallet, owed, unpaid] = await Promise.all([
    db.wallet.findUnique({ where: { accountId }, select: { balance: true } }),
    db.webhookDelivery.count({ where: { accountId, isOwed: true }, take }),
    db.webhookDelivery.count({ where: { endpointId: id, state: 'waiting', ...chargeable }, take }),
  ])
  const balance = Number(wallet?.balance ?? 0)
  return { isCapped: balance >= creditsPerEvent, missingCredits: Math.max(0, (owed + unpaid) * creditsPerEvent - balance) }
}

/** Returns the time at which the endpoint's URL was changed, if no attempt has succeeded since; null otherwise. Checks the newest attempts only. */
async function getUndeliveredUrlSince(db: Database, { id, accountId, publicId, createdAt }: StoredEndpoint): Promise<Date | null> {
  const select = { at: true, outcome: true } as const
  const newest = await db.webhookAttempt.findMany({ where: { endpointId: id }, orderBy: { at: 'desc' }, take: maxCountedAttempts, select })
  const delivered = newest.find(({ outcome }) => outcome === 'delivered')
  const isUrlChange = { action: 'webhook.update', subject: publicId, after: { path: ['isUrlChanged'], equals: true } }
  const where = { accountId, at: { gt: delivered?.at ?? createdAt }, ...isUrlChange }
  return (await db.auditEntry.findFirst({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], select: { at: true } }))?.at ?? null
}

/**
 * Returns the last failed attempt of an endpoint that is failing or was disabled by the service; null for others, and if the URL has changed since that
 * attempt.
 */
async function getLastFailure(db: Database, { id, failingSince, state }: StoredEndpoint, urlChangedAt: Date | null) {
  if (failingSince === null && state !== 'disabled') return null
  const where = { endpointId: id, outcome: { not: 'delivered' }, ...(urlChangedAt === null ? {} : { at: { gt: urlChangedAt } }) } as const
  return db.webhookAttempt.findFirst({ where, orderBy: { at: 'desc' }, select: { at: true, status: true, fault: true } })
}

/** Returns an endpoint with its figures, its last failure and, if it is held, its credit shortage. @throws RefusedError not_found */
export async function getWebhook({ pool: db }: WebhookDeps, accountId: number, id: string) {
  const endpoint = await findEndpoint(db, accountId, id)
  const undeliveredUrlSince = await getUndeliveredUrlSince(db, endpoint)
  const failure = getLastFailure(db, endpoint, undeliveredUrlSince)
  const [[webhook], shortage, lastFailure] = await Promise.all([withFigures(db, [endpoint]), getShortage(db, endpoint), failure])
  if (!webhook) throw unknownEndpoint()
  return { ...webhook, shortage, lastFailure, undeliveredUrlSince }
}

/** Requires an endpoint to be active or held. @throws FieldsError */
export function demandSentTo({ state }: Pick<StoredEndpoint, 'state'>): void {
  if (state !== 'active' && state !== 'held') throw new FieldsError({ form: 'This endpoint is paused or disabled. Resume it first.' })
}
