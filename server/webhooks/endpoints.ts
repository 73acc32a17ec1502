import { accountByEmail } from '#server/accounts/accounts.ts'
import { type Actor, type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import {
  creditsPerEvent,
  type EventType,
  healthDays,
  maxCountedWaiting,
  maxWebhookEndpoints,
  type NewWebhook,
  oldSecretHours,
  type WebhookInterest,
  type WebhookState,
} from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId, randomBase62 } from '#server/ids.ts'
import * as store from './endpoints.store.ts'
import { urlFault } from './reach.ts'
import { encryptSecret, newSigningSecret } from './signature.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Actor who manages endpoints, and the account that owns them. A null `accountId` gives access to the endpoints of any account. */
export type WebhookOwner = { readonly accountId: number | null } & ({ readonly actor: 'account' | 'operator'; readonly address: string | null } | AdminActor)

export type Webhook = WebhookInterest & {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly state: WebhookState
  /** Reason why the service disabled the endpoint: the receiver returned 410, or every attempt failed for days. Null if the service didn't. */
  readonly stateReason: 'gone' | 'failures' | null
  readonly createdAt: Date
  readonly failingSince: Date | null
  /** End of the period in which the previous secret also signs; null if it is over. */
  readonly oldSecretEndsAt: Date | null
  /** Number of waiting deliveries, counted up to `maxCountedWaiting` + 1. */
  readonly waiting: number
  /** Share of successful attempts in the last seven days, 0 to 1; null without attempts. */
  readonly successRate: number | null
}

/**
 * Reason why an endpoint is held. `isCapped` is true if the balance covers an event, so that only the monthly cap blocks it. `missingCredits` is the number
 * of credits needed on top of the balance to pay for all waiting and unpaid events; it can be 0.
 */
export type WebhookShortage = { readonly isCapped: boolean; readonly missingCredits: number }

export type WebhookInFull = Webhook & { readonly shortage: WebhookShortage | null }

const fromDb = (row: store.CountedRow): Webhook => ({
  id: row.public_id,
  url: row.url,
  description: row.description,
  types: row.types as EventType[],
  providers: row.providers,
  accountTypes: row.account_types as WebhookInterest['accountTypes'],
  minChangeBp: row.min_change_bp,
  state: row.state,
  stateReason: row.state_reason,
  createdAt: row.created_at,
  failingSince: row.failing_since,
  oldSecretEndsAt: row.old_secret_ends_at !== null && row.old_secret_ends_at.getTime() > clock.now() ? row.old_secret_ends_at : null,
  waiting: row.waiting,
  successRate: row.attempts === 0 ? null : row.delivered / row.attempts,
})

/** Creates the error for an endpoint that doesn't exist or belongs to another account. The two cases must look the same. */
export const unknownEndpoint = () => new RefusedError(refuse('not_found', {}, 'Endpoint not found.'))

/** Requires webhooks to be enabled for an account. @throws RefusedError webhooks_not_enabled */
export async function demandAccess({ pool }: Pick<WebhookDeps, 'pool'>, accountId: number): Promise<void> {
  if (!(await store.readAccess(pool, accountId))) throw new RefusedError(refuse('webhooks_not_enabled'))
}

/**
 * Enables or disables webhooks for an account. While they are disabled, nothing is sent or queued; endpoints and waiting deliveries are kept. Returns false and
 * writes nothing if no change is needed.
 */
export async function setWebhookAccess({ pool }: Pick<WebhookDeps, 'pool'>, by: Actor, accountId: number, isOn: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const isChanged = await store.writeAccess(client, accountId, isOn, new Date(clock.now()))
    if (isChanged) await writeAudit(client, { ...by, accountId, action: isOn ? 'webhooks.on' : 'webhooks.off', before: { isOn: !isOn }, after: { isOn } })
    return isChanged
  })
}

/** Enables or disables webhooks from the command line, for the account with this email. @throws AccountError if there is none */
export async function switchWebhooks(deps: Pick<WebhookDeps, 'pool'>, email: string, isOn: boolean): Promise<void> {
  const { id } = await accountByEmail(deps.pool, email)
  await setWebhookAccess(deps, { actor: 'operator' }, id, isOn)
}

const bounds = { counted: maxCountedWaiting + 1, rows: maxWebhookEndpoints }
const healthFrom = () => new Date(clock.now() - healthDays * 86_400_000)

export async function getWebhooks({ pool }: WebhookDeps, accountId: number): Promise<Webhook[]> {
  return (await store.readCounted(pool, accountId, null, healthFrom(), bounds)).map(fromDb)
}

async function getShortage({ pool }: WebhookDeps, row: store.EndpointRow): Promise<WebhookShortage | null> {
  const found = row.state === 'held' ? await store.readShortage(pool, row.id, bounds.counted) : undefined
  if (!found) return null
  const balance = Number(found.balance)
  return { isCapped: balance >= creditsPerEvent, missingCredits: Math.max(0, (found.owed + found.unpaid) * creditsPerEvent - balance) }
}

/** Returns an endpoint with its credit shortage, if any. @throws RefusedError not_found */
export async function getWebhook(deps: WebhookDeps, accountId: number, id: string): Promise<WebhookInFull> {
  const [row] = await store.readCounted(deps.pool, accountId, id, healthFrom(), bounds)
  if (!row) throw unknownEndpoint()
  return { ...fromDb(row), shortage: await getShortage(deps, row) }
}

/** Requires an endpoint to be active or held. @throws FieldsError */
export function demandSentTo({ state }: Pick<store.EndpointRow, 'state'>): void {
  if (state !== 'active' && state !== 'held') throw new FieldsError({ form: 'This endpoint is paused or disabled. Resume it first.' })
}

/** Validates and normalises endpoint settings. @throws FieldsError if the URL is not allowed */
export function wantedWebhook(deps: Pick<WebhookDeps, 'settings'>, { url, description, types, providers, accountTypes, minChangeBp }: NewWebhook): NewWebhook {
  refuseFaults({ url: urlFault(url.trim(), deps.settings) })
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
export async function createWebhook(
  deps: WebhookDeps,
  owner: WebhookOwner & { accountId: number },
  given: NewWebhook,
): Promise<{ id: string; secret: string }> {
  const { accountId, ...by } = owner
  await demandAccess(deps, accountId)
  const webhook = wantedWebhook(deps, given)
  const [id, secret] = [newPublicId('whe'), newSigningSecret()]
  await inTransaction(deps.pool, async (client) => {
    await store.lockForNew(client, accountId)
    if ((await store.countEndpoints(client, accountId)) >= maxWebhookEndpoints) {
      throw new FieldsError({ form: `An account can have ${maxWebhookEndpoints} endpoints. Delete one first.` })
    }
    const made = { publicId: id, secret: encryptSecret(deps.settings.secret, id, secret), now: new Date(clock.now()) }
    await store.insertEndpoint(client, accountId, made, webhook)
    await writeAudit(client, { ...by, accountId, action: 'webhook.create', subject: id, after: webhook })
  })
  return { id, secret }
}

type Change = (client: Transaction, row: store.EndpointRow) => Promise<object | null>

/** Changes a locked endpoint and writes an audit entry. @throws RefusedError not_found, webhooks_not_enabled */
async function change(deps: WebhookDeps, owner: WebhookOwner, id: string, action: string, work: Change): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const row = await store.lockEndpoint(client, owner.accountId, id)
    if (!row) throw unknownEndpoint()
    const [{ accountId: _, ...by }, accountId] = [owner, Number(row.account_id)]
    if (!(await store.readAccess(client, accountId))) throw new RefusedError(refuse('webhooks_not_enabled'))
    const after = await work(client, row)
    await writeAudit(client, { ...by, accountId, action: `webhook.${action}`, subject: id, after })
  })
}

/** Updates an endpoint's settings. @throws FieldsError, RefusedError not_found */
export async function updateWebhook(deps: WebhookDeps, owner: WebhookOwner, id: string, given: NewWebhook): Promise<void> {
  const webhook = wantedWebhook(deps, given)
  await change(deps, owner, id, 'update', async (client, row) => {
    await store.updateEndpoint(client, row.id, webhook)
    return webhook
  })
}

/**
 * Rotates the secret and returns it once. For 24 hours deliveries are signed with both the new secret and the one that was in use before.
 * @throws RefusedError not_found
 */
export async function rotateSecret(deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<{ secret: string; oldEndsAt: Date }> {
  const secret = newSigningSecret()
  const now = clock.now()
  const oldEndsAt = new Date(now + oldSecretHours * 3_600_000)
  await change(deps, owner, id, 'rotate', async (client, row) => {
    await store.writeSecret(client, row.id, encryptSecret(deps.settings.secret, id, secret), new Date(now), oldEndsAt)
    return { oldEndsAt: oldEndsAt.toISOString() }
  })
  return { secret, oldEndsAt }
}

/** Pauses sending. Events are still queued. @throws RefusedError not_found; FieldsError if the endpoint is disabled */
export const pauseWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  change(deps, owner, id, 'pause', async (client, row) => {
    if (row.state === 'disabled') throw new FieldsError({ form: 'This endpoint is already disabled.' })
    await store.writePaused(client, row.id)
    return null
  })

/** Resumes sending waiting deliveries in order. @throws RefusedError not_found */
export const resumeWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  change(deps, owner, id, 'resume', async (client, row) => {
    await store.writeActive(client, row.id, new Date(clock.now()))
    return null
  })

/** Deletes an endpoint. @throws RefusedError not_found */
export const deleteWebhook = (deps: WebhookDeps, owner: WebhookOwner, id: string): Promise<void> =>
  change(deps, owner, id, 'delete', async (client, row) => {
    await store.writeDeleted(client, row.id)
    return null
  })

const idLength = 16
const minuteMs = 60_000
/** Maximum number of test events per endpoint and minute. They are free, so without a limit they could be used to flood a receiver. */
const maxTestsPerMinute = 10

/** Sends a test event with sample data. Test events are free, but are signed and retried like any other event. @throws FieldsError; RefusedError not_found */
export async function testWebhook(deps: WebhookDeps, owner: WebhookOwner, id: string, type: EventType | null): Promise<{ event: string; delivery: string }> {
  const made = { event: `evt_test_${randomBase62(idLength)}`, delivery: newPublicId('dlv') }
  const found = await store.readEndpoint(deps.pool, owner.accountId, id)
  if (!found) throw unknownEndpoint()
  const chosen = type ?? (found.types[0] as EventType)
  const written = await deps.sample(chosen)
  await change(deps, owner, id, 'test', async (client, row) => {
    demandSentTo(row)
    const now = clock.now()
    if ((await store.countTests(client, row.id, new Date(now - minuteMs))) >= maxTestsPerMinute) {
      throw new FieldsError({ form: `You can send ${maxTestsPerMinute} test events a minute. Wait a moment.` })
    }
    await store.insertTestEvent(client, row, { id: made.event, type: chosen, ...written, delivery: made.delivery, now: new Date(now) })
    return { type: chosen, delivery: made.delivery }
  })
  return made
}
