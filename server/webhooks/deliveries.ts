import { writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { creditsPerEvent, type DeliveryState, type EventType, healthDays, keptDeliveryDays, maxSentAgainAnHour } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import * as store from './deliveries.store.ts'
import { endClosed, lockEndpoint, readEndpoint, wake } from './endpoints.store.ts'
import { demandAccess, demandSentTo, unknownEndpoint, type WebhookOwner } from './endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

export type Delivery = {
  readonly id: string
  readonly event: string
  readonly type: EventType
  readonly isTest: boolean
  /** Events about the account itself are free. */
  readonly isFree: boolean
  readonly state: DeliveryState
  /** Number of attempts in the current round. Redelivery starts a new round. */
  readonly attempts: number
  /** Time of the next attempt; null if there is none. */
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly deliveredAt: Date | null
  readonly chargedCredits: number
  /** True if the event was delivered while the balance was too low. It is charged as soon as the account has enough credits. */
  readonly isOwed: boolean
  readonly lastStatus: number | null
}

export const deliveryFromDb = (row: store.DeliveryRow): Delivery => ({
  id: row.public_id,
  event: row.event_id,
  type: row.type as EventType,
  isTest: row.is_test,
  isFree: row.is_free,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.state === 'waiting' ? row.due_at : null,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
  chargedCredits: row.charged_at === null ? 0 : creditsPerEvent,
  isOwed: row.is_owed,
  lastStatus: row.last_status,
})

const pageSize = 50
const maxAttempts = 100
const againLimits = { atOnce: 5_000, anHour: maxSentAgainAnHour }
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

export type Again = store.Again

export type DeliveryPage = { readonly deliveries: Delivery[]; readonly next: string | null }

/** Returns a page of 50 deliveries, newest first. `cursor` is the previous page's `next`, or null. @throws RefusedError not_found */
export async function getDeliveries(
  { pool }: WebhookDeps,
  accountId: number,
  endpoint: string,
  asked: store.DeliveryFilter & { cursor: string | null },
): Promise<DeliveryPage> {
  const found = await readEndpoint(pool, accountId, endpoint)
  if (!found) throw unknownEndpoint()
  const rows = await store.readDeliveries(pool, found.id, asked, asked.cursor, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { deliveries: shown.map(deliveryFromDb), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}

export type OneDelivery = Delivery & {
  readonly endpoint: string
  readonly url: string
  readonly eventAt: Date
  /** The event's data, as sent. */
  readonly data: unknown
  readonly tries: readonly {
    readonly round: number
    readonly attempt: number
    readonly at: Date
    readonly isDelivered: boolean
    readonly status: number | null
    readonly fault: string | null
    readonly totalMs: number
    readonly firstByteMs: number | null
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
}

/** Returns a delivery with its attempts, newest first. @throws RefusedError not_found */
export async function getDelivery({ pool }: WebhookDeps, accountId: number, id: string): Promise<OneDelivery> {
  const row = await store.readDelivery(pool, accountId, id)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'Delivery not found.'))
  const tries = (await store.readAttempts(pool, row.id, maxAttempts)).map(({ outcome, total_ms, first_byte_ms, headers, body, ...attempt }) => ({
    ...attempt,
    isDelivered: outcome === 'delivered',
    totalMs: total_ms,
    firstByteMs: first_byte_ms,
    headers: headers ?? {},
    body: body ?? '',
  }))
  const data: unknown = JSON.parse(row.data)
  return { ...deliveryFromDb(row), endpoint: row.endpoint, url: row.url, eventAt: row.event_at, data, tries }
}

/** Number of deliveries that were queued again. `next` is the cursor for the rest of a time range; null if nothing is left. */
export type Redelivered = { readonly count: number; readonly next: string | null }

/** Enforces the hourly limit on redelivery, which is needed because redelivering a paid event is free. @throws FieldsError */
function requireWithinLimit({ count, more, since }: store.SentAgain, now: Date): void {
  if (count > 0 || !more) return
  const minutes = Math.ceil((since.getTime() + hourMs - now.getTime()) / minuteMs)
  const max = maxSentAgainAnHour.toLocaleString('en-GB')
  throw new FieldsError({ form: `You can redeliver ${max} deliveries an hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.` })
}

/**
 * Redelivers one delivery, a time range, or everything that failed, in order and with the same ids. Paid events are not charged again; unpaid ones are charged
 * on their first 2xx response. At most 5,000 per call and 10,000 an hour per endpoint. @throws RefusedError not_found; FieldsError
 */
export async function redeliver(deps: WebhookDeps, owner: WebhookOwner & { accountId: number }, endpoint: string, again: store.Again): Promise<Redelivered> {
  const { accountId, ...by } = owner
  await demandAccess(deps, accountId)
  return inTransaction(deps.pool, async (client) => {
    const row = await lockEndpoint(client, accountId, endpoint)
    if (!row) throw unknownEndpoint()
    demandSentTo(row)
    const now = new Date(clock.now())
    const sent = await store.sendAgain(client, row.id, again, now, againLimits)
    requireWithinLimit(sent, now)
    const { count, last, more } = sent
    if (count === 0 && again.kind === 'one') throw new FieldsError({ form: 'There is no such delivery, or it is already waiting to be sent.' })
    // Admin actions must have an effect or fail. For customers, having nothing to redeliver is not an error.
    if (count === 0 && by.actor === 'admin') throw new FieldsError({ form: 'Nothing to redeliver: no finished delivery matches.' })
    await wake(client, row.id, now)
    await writeAudit(client, { ...by, accountId, action: 'webhook.redeliver', subject: endpoint, after: { ...again, count } })
    return { count, next: more ? last : null }
  })
}

export type WebhookHealth = {
  /** Share of attempts that succeeded, 0 to 1; null without attempts. */
  readonly successRate: number | null
  readonly attempts: number
  /** One entry per hour with attempts, oldest first. */
  readonly hours: readonly {
    readonly hour: Date
    readonly attempts: number
    readonly delivered: number
    readonly medianMs: number | null
    readonly p95Ms: number | null
  }[]
}

/** Returns an endpoint's health over the last seven days. @throws RefusedError not_found */
export async function getHealth({ pool }: WebhookDeps, accountId: number, endpoint: string): Promise<WebhookHealth> {
  const found = await readEndpoint(pool, accountId, endpoint)
  if (!found) throw unknownEndpoint()
  const rows = await store.readHours(pool, found.id, new Date(clock.now() - healthDays * dayMs))
  const [attempts, delivered] = [rows.reduce((sum, row) => sum + row.attempts, 0), rows.reduce((sum, row) => sum + row.delivered, 0)]
  const hours = rows.map(({ median_ms: medianMs, p95_ms: p95Ms, ...hour }) => ({ ...hour, medianMs, p95Ms }))
  return { attempts, successRate: attempts === 0 ? null : delivered / attempts, hours }
}

const batchSize = 5_000

/** Cancels deliveries to deleted endpoints and deletes records past their retention, in batches. */
export async function tidyDeliveries({ pool }: Pick<WebhookDeps, 'pool'>, signal?: AbortSignal): Promise<void> {
  await endClosed(pool)
  const now = clock.now()
  const before = new Date(now - keptDeliveryDays * dayMs)
  const works = [
    () => store.cancelDeleted(pool, new Date(now), batchSize),
    () => store.forgetDeliveries(pool, before, batchSize),
    () => store.forgetEvents(pool, before, batchSize),
  ]
  for (const work of works) for (let done = batchSize; done === batchSize && !signal?.aborted; ) done = await work()
}
