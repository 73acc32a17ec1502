import { writeAudit } from '#server/accounts/audit.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { type EventType, maxOfAccount, maxWebhookEndpoints, type NewWebhook, oldSecretHours } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId, randomBase62 } from '#server/ids.ts'
import { demandAccess, hasAccess } from './access.ts'
import { type AccountOwner, demandSentTo, findEndpoint, lockEndpoint, type StoredEndpoint, type WebhookOwner, wakened } from './endpoints.ts'
import { lockProgress } from './fan-out.sql.ts'
import { limitReached, lockFreeCounter } from './free-deliveries.ts'
import { urlFault } from './reach.ts'
import { encryptSecret, newSigningSecret } from './signature.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const localAdvice = ' To receive events on your own machine, use `savings-rates listen`: see /docs/webhooks#test-on-your-own-machine.'

/** Validates and normalises endpoint settings. @throws FieldsError if the URL is not allowed */
export function wantedWebhook(deps: Pick<WebhookDeps, 'settings'>, { url, description, types, providers, accountTypes, minChangeBp }: NewWebhook): NewWebhook {
  refuseFaults({ url: urlFault(url.trim(), deps.settings, localAdvice) })
  return {
    url: new URL(url.trim()).href,
    description,
    types: [...new Set(types)],
    providers: [...new Set(providers)],
    accountTypes: [...new Set(accountTypes)],
    minChangeBp,
  }
}

/** Creates an endpoint. Its secret is only in the return value. @throws RefusedError webhooks_not_enabled; FieldsError */
export async function createWebhook(deps: WebhookDeps, owner: AccountOwner, given: NewWebhook, mode: Mode = 'live'): Promise<{ id: string; secret: string }> {
  const { accountId, ...by } = owner
  await demandAccess(deps, accountId)
  const webhook = wantedWebhook(deps, given)
  const [publicId, signingSecret] = [newPublicId('whe'), newSigningSecret()]
  const secret = encryptSecret(deps.settings.secret, publicId, signingSecret)
  await inTransaction(deps.pool, async (tx) => {
    // Waits for any fan-out in progress, so that no event is missed, and then for other endpoints being created in the account. Takes the fan-out lock first,
    // so that no other lock is held while waiting for it.
    await lockProgress(tx)
    await lockRows(tx, 'webhook_account', [accountId])
    if ((await tx.webhookEndpoint.count({ where: { accountId, state: { not: 'deleted' } } })) >= maxWebhookEndpoints) {
      throw new FieldsError({ form: `An account can have ${maxWebhookEndpoints} endpoints. Delete one first.` })
    }
    const newest = await tx.marketEvent.aggregate({ _max: { seq: true } })
    const data = { ...webhook, mode, publicId, accountId, secret, createdAt: new Date(clock.now()), sinceSeq: newest._max.seq ?? 0 }
    await tx.webhookEndpoint.create({ data, select: { id: true } })
    await writeAudit(tx, { ...by, accountId, action: 'webhook.create', subject: publicId, after: { ...webhook, mode } })
  })
  return { id: publicId, secret: signingSecret }
}

type EndpointAction = 'update' | 'rotate' | 'pause' | 'resume' | 'delete' | 'test'
type Change = (tx: Transaction, endpoint: StoredEndpoint) => Promise<object | null>

/** Changes a locked endpoint and writes an audit entry. @throws RefusedError not_found, webhooks_not_enabled */
export async function changeEndpoint(deps: WebhookDeps, owner: WebhookOwner, id: string, action: EndpointAction, work: Change): Promise<void> {
  await inTransaction(deps.pool, async (tx) => {
    const { accountId: ownAccountId, ...by } = owner
    const endpoint = await lockEndpoint(tx, ownAccountId, id)
    const { accountId } = endpoint
    if (!(await hasAccess(tx, accountId))) throw new RefusedError(refuse('webhooks_not_enabled'))
    const after = await work(tx, endpoint)
    await writeAudit(tx, { ...by, accountId, action: `webhook.${action}`, subject: id, after })
  })
}

/** Updates a locked endpoint. */
async function update(tx: Transaction, { id }: StoredEndpoint, data: Prisma.WebhookEndpointUpdateInput): Promise<void> {
  await tx.webhookEndpoint.update({ where: { id }, data, select: { id: true } })
}

/** Column values of an endpoint without failures. */
const healthy = { failingSince: null, failures: 0, warnedAt: null, restsUntil: null } as const

/**
 * Updates an endpoint's settings, effective from the next delivery. A new URL resets the failure counts. Omitted settings are unchanged. @throws FieldsError,
 * RefusedError not_found
 */
export async function updateWebhook(deps: WebhookDeps, owner: WebhookOwner, id: string, given: Partial<NewWebhook>): Promise<void> {
  await changeEndpoint(deps, owner, id, 'update', async (tx, endpoint) => {
    const { url, description, types, providers, accountTypes, minChangeBp } = endpoint
    const current = { url, description, types, providers, accountTypes, minChangeBp } as NewWebhook
    const webhook = wantedWebhook(deps, { ...current, ...given })
    const isUrlChanged = webhook.url !== url
    await update(tx, endpoint, { ...webhook, isChanged: true, ...(isUrlChanged ? healthy : {}) })
    return isUrlChanged ? { ...webhook, isUrlChanged } : webhook
  })
}

/**
 * Rotates the secret and returns it once. For 24 hours, deliveries are signed with both the new secret and the previous one. If the secret is rotated again
 * within that time, deliveries are signed with the newest secret and the original one: the one in between may never have been deployed. @throws RefusedError
 * not_found
 */
export async function rotateSecret(deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<{ secret: string; oldEndsAt: Date }> {
  const secret = newSigningSecret()
  const now = clock.now()
  const oldSecretEndsAt = new Date(now + oldSecretHours * 3_600_000)
  await changeEndpoint(deps, owner, id, 'rotate', async (tx, endpoint) => {
    const current = await tx.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id }, select: { secret: true, oldSecret: true } })
    const isRotating = endpoint.oldSecretEndsAt !== null && endpoint.oldSecretEndsAt.getTime() > now
    const oldSecret = isRotating ? (current.oldSecret ?? current.secret) : current.secret
    await update(tx, endpoint, { secret: encryptSecret(deps.settings.secret, id, secret), oldSecret, oldSecretEndsAt, isChanged: true })
    return { oldEndsAt: oldSecretEndsAt.toISOString() }
  })
  return { secret, oldEndsAt: oldSecretEndsAt }
}

/** Pauses sending. Events are still queued. @throws RefusedError not_found; FieldsError if the endpoint is disabled */
export const pauseWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  changeEndpoint(deps, owner, id, 'pause', async (tx, endpoint) => {
    if (endpoint.state === 'disabled') throw new FieldsError({ form: 'This endpoint is already disabled.' })
    await update(tx, endpoint, { state: 'paused' })
    return null
  })

/**
 * Resumes sending the waiting deliveries in order, and resets the failure counts. If a worker is sending to the endpoint, it finishes its current delivery.
 * @throws RefusedError not_found
 */
export const resumeWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  changeEndpoint(deps, owner, id, 'resume', async (tx, endpoint) => {
    const where = { endpointId: endpoint.id, state: 'waiting' } as const
    const next = await tx.webhookDelivery.findFirst({ where, orderBy: [{ dueAt: 'asc' }, { id: 'asc' }], select: { dueAt: true } })
    const nextAt = next && new Date(Math.max(next.dueAt.getTime(), clock.now()))
    await update(tx, endpoint, { state: 'active', stateReason: null, ...healthy, nextAt })
    return null
  })

/** Column values that mark an endpoint as deleted and erase its secrets. */
const deleted = { state: 'deleted', secret: new Uint8Array(), oldSecret: null, nextAt: null } as const

/** Deletes an endpoint. Waiting deliveries are never sent and are cancelled later; past deliveries are kept. @throws RefusedError not_found */
export const deleteWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  changeEndpoint(deps, owner, id, 'delete', async (tx, endpoint) => {
    await update(tx, endpoint, deleted)
    return null
  })

const maxClosed = 1_000

/** Deletes the endpoints of closed accounts, including their URLs, which are personal data. */
export async function deleteClosedEndpoints(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    const where: Prisma.WebhookEndpointWhereInput = { account: { closedAt: { not: null } }, OR: [{ state: { not: 'deleted' } }, { url: { not: '' } }] }
    const endpoints = await tx.webhookEndpoint.findMany({ where, take: maxClosed, select: { id: true } })
    const ids = endpoints.map(({ id }) => id)
    await lockRows(tx, 'webhook_endpoint', ids)
    await tx.webhookEndpoint.updateMany({ where: { id: { in: ids } }, data: { ...deleted, url: '', description: '' } })
  })
}

const idLength = 16
const minuteMs = 60_000
/** Maximum number of test events per endpoint and minute. Test events are free, so without a limit they could be used to flood a receiver. */
const maxTestsPerMinute = 10
/** Number of most recent deliveries to search for recent test events. */
const maxSearched = 1_000

/** Returns the times of an endpoint's test events in the last minute, newest first. */
async function findRecentTests(tx: Transaction, endpointId: number): Promise<Date[]> {
  const from = clock.now() - minuteMs
  const newest = await tx.webhookDelivery.findMany({
    where: { endpointId },
    orderBy: { id: 'desc' },
    take: maxSearched,
    select: { isTest: true, createdAt: true },
  })
  return newest.filter(({ isTest, createdAt }) => isTest && createdAt.getTime() > from).map(({ createdAt }) => createdAt)
}

/** Sends a test event with sample data. Test events are free, but are signed and retried like any other event. @throws FieldsError; RefusedError not_found, rate_limited */
export async function testWebhook(deps: WebhookDeps, owner: WebhookOwner, id: string, type: EventType | null): Promise<{ event: string; delivery: string }> {
  const [event, delivery] = [`evt_test_${randomBase62(idLength)}`, newPublicId('dlv')]
  const { types } = await findEndpoint(deps.pool, owner.accountId, id)
  const chosen = type ?? (types[0] as EventType)
  const sample = await deps.sample(chosen)
  await changeEndpoint(deps, owner, id, 'test', async (tx, endpoint) => {
    demandSentTo(endpoint)
    const now = new Date(clock.now())
    const oldest = (await findRecentTests(tx, endpoint.id))[maxTestsPerMinute - 1]
    if (oldest) throw limitReached(`You can send ${maxTestsPerMinute} test events a minute to an endpoint.`, oldest, minuteMs, now)
    const ofAccount = await lockFreeCounter(tx, endpoint.accountId, 'tests', now, minuteMs)
    const { testsAMinute } = maxOfAccount
    if (ofAccount.used >= testsAMinute) throw limitReached(`An account can send ${testsAMinute} test events a minute.`, ofAccount.since, minuteMs, now)
    await ofAccount.add(1)
    const { id: endpointId, accountId } = endpoint
    await tx.webhookEvent.create({ data: { id: event, type: chosen, createdAt: now, ...sample }, select: { id: true } })
    const data = { publicId: delivery, endpointId, accountId, eventId: event, isTest: true, dueAt: now, createdAt: now }
    await tx.webhookDelivery.create({ data, select: { id: true } })
    await update(tx, endpoint, wakened(endpoint, now))
    return { type: chosen, delivery }
  })
  return { event, delivery }
}
