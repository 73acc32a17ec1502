import type { Mode } from '#server/api/contract/endpoint.ts'
import { invalid, RefusedError } from '#server/api/contract/errors.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { OwnWebhooks } from '#server/api/contract/own-account.ts'
import type { DeliveryRecord, EventRecord, SampleEventRecord, WebhookBody, WebhookChange, WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { eventTypes, type NewWebhook, parsePercentagePoints } from '#server/api/contract/webhooks.ts'
import { type Delivery, findDeliveryEndpoint, getDelivery, isDisclosed, listDeliveries } from './deliveries.ts'
import { type AccountOwner, findEndpoint, findWebhook, getWebhooks, unknownEndpoint, type Webhook } from './endpoints.ts'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateSecret, testWebhook, updateWebhook } from './manage-endpoints.ts'
import { redeliver } from './redeliver.ts'
import { inTurn, listEvents, type SentEvent } from './sent-events.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

const toRecord = (webhook: Webhook): WebhookRecord => ({
  id: webhook.id,
  mode: webhook.mode,
  url: webhook.url,
  description: webhook.description,
  types: webhook.types,
  providers: webhook.providers,
  accountTypes: webhook.accountTypes,
  minChange: webhook.minChangeBp === null ? null : twoDecimals(webhook.minChangeBp),
  state: webhook.state,
  stateReason: webhook.stateReason,
  createdAt: webhook.createdAt.toISOString(),
  failingSince: iso(webhook.failingSince),
  oldSecretEndsAt: iso(webhook.oldSecretEndsAt),
  waiting: webhook.waiting,
  successRate: webhook.successRate,
})

const toBasisPoints = (points: string | null): number | null => (points === null ? null : parsePercentagePoints(points))

const toSettings = ({ minChange, ...body }: WebhookBody): NewWebhook => ({ ...body, minChangeBp: toBasisPoints(minChange) })

function toChanges({ minChange, ...body }: WebhookChange): Partial<NewWebhook> {
  const all = { ...body, minChangeBp: minChange === undefined ? undefined : toBasisPoints(minChange) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const toDeliveryRecord = (delivery: Delivery): DeliveryRecord => ({
  id: delivery.id,
  webhook: delivery.endpoint,
  event: delivery.event,
  type: delivery.type,
  state: delivery.state,
  isTest: delivery.isTest,
  attempts: delivery.attempts,
  lastStatus: delivery.lastStatus,
  creditsCharged: delivery.chargedCredits,
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: iso(delivery.dueAt),
  deliveredAt: iso(delivery.deliveredAt),
})

const toEventRecord = ({ createdAt, data, endpoint, sentAt, ...event }: SentEvent): EventRecord => ({
  ...event,
  createdAt: createdAt.toISOString(),
  data: JSON.parse(data),
  webhook: endpoint,
  sentAt: sentAt.toISOString(),
})

/** Replaces an error that only the portal returns. */
async function reject<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RefusedError && error.refusal.code === 'webhooks_not_enabled')) throw error
    throw invalid('Webhooks are not enabled for this account. Enable them on the webhooks page of the portal.')
  }
}

/**
 * Returns the functions of the API for an account's webhook endpoints of one mode. `countCreated` counts a new endpoint towards the hourly limit. Each function
 * calls the portal's implementation, and runs one statement at a time.
 */
export function ownWebhooks(deps: WebhookDeps, owner: AccountOwner, mode: Mode, countCreated: () => Promise<void>): OwnWebhooks {
  const { accountId } = owner
  /** Requires an endpoint of this mode, which never changes. @throws RefusedError not_found */
  const demandMode = async (id: string) => {
    if ((await findEndpoint(deps.pool, accountId, id)).mode !== mode) throw unknownEndpoint()
  }
  const get = async (id: string) => {
    const webhook = await findWebhook(deps, accountId, id)
    if (webhook.mode !== mode) throw unknownEndpoint()
    return toRecord(webhook)
  }
  const change = async (id: string, work: () => Promise<unknown>) => {
    await demandMode(id)
    await reject(work)
  }
  return {
    list: async () => (await inTurn(accountId, () => getWebhooks(deps, accountId))).filter((webhook) => webhook.mode === mode).map(toRecord),
    get,
    create: async (body) => {
      await countCreated()
      const { id, secret } = await reject(() => createWebhook(deps, owner, toSettings(body), mode))
      return { ...(await get(id)), secret }
    },
    update: async (id, body) => {
      await change(id, () => updateWebhook(deps, owner, id, toChanges(body)))
      return get(id)
    },
    delete: async (id) => {
      await change(id, () => deleteWebhook(deps, owner, id))
      return { id, deleted: true }
    },
    rotateSecret: async (id) => {
      await demandMode(id)
      const { secret, oldEndsAt } = await reject(() => rotateSecret(deps, owner, id))
      return { id, secret, oldSecretEndsAt: oldEndsAt.toISOString() }
    },
    pause: async (id) => {
      await change(id, () => pauseWebhook(deps, owner, id))
      return get(id)
    },
    resume: async (id) => {
      await change(id, () => resumeWebhook(deps, owner, id))
      return get(id)
    },
    test: async (id, type) => {
      await demandMode(id)
      return reject(() => testWebhook(deps, owner, id, type))
    },
    deliveries: async (filter, page) => {
      if (filter.webhook !== undefined) await demandMode(filter.webhook)
      const { rows, more, keys } = await inTurn(accountId, () => listDeliveries(deps, { ...filter, accountId, mode }, page))
      return { rows: rows.map(toDeliveryRecord), more, keys }
    },
    delivery: async (id) => {
      await demandMode(await findDeliveryEndpoint(deps, accountId, id))
      const { data, tries, ...delivery } = await getDelivery(deps, accountId, id)
      const attempts = tries.map(({ at, isDelivered, status, fault, totalMs }) => ({ at: at.toISOString(), isDelivered, status, fault, totalMs }))
      return { ...toDeliveryRecord(delivery), data: isDisclosed(delivery) ? (data as Record<string, unknown>) : null, tries: attempts }
    },
    redeliver: async (id) => {
      const endpoint = await findDeliveryEndpoint(deps, accountId, id)
      await change(endpoint, () => redeliver(deps, owner, endpoint, { kind: 'one', id }))
      return { id, state: 'waiting' }
    },
    events: async (filter, page) => {
      if (filter.webhook !== undefined) await demandMode(filter.webhook)
      const { rows, more, keys } = await listEvents(deps, { ...filter, accountId, mode }, page)
      return { rows: rows.map(toEventRecord), more, keys }
    },
    samples: async () => {
      const rows: SampleEventRecord[] = []
      for (const type of eventTypes) rows.push({ type, data: JSON.parse((await deps.sample(type)).data) })
      return rows
    },
  }
}
