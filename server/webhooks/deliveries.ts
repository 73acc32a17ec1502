import { writeAudit } from '../accounts/audit.ts'
import { clock } from '../clock.ts'
import { RefusedError, refuse } from '../contract/errors.ts'
import { creditsPerEvent, type EventType } from '../contract/events.ts'
import { FieldsError } from '../contract/field-errors.ts'
import { type DeliveryState, keptDeliveryDays } from '../contract/webhooks.ts'
import { inTransaction } from '../db/transaction.ts'
import * as store from './deliveries.store.ts'
import { lockEndpoint, readEndpoint, wake } from './endpoints.store.ts'
import { demandAccess, unknownEndpoint, type WebhookOwner } from './endpoints.ts'
import type { WebhookRoom } from './webhook-room.ts'

export type Delivery = {
  readonly id: string
  readonly event: string
  readonly type: EventType
  readonly isTest: boolean
  readonly state: DeliveryState
  /** In the present round: sending again by hand begins a new one. */
  readonly attempts: number
  /** When it is tried next; null when it is not. */
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly deliveredAt: Date | null
  readonly chargedCredits: number
  /** Delivered when the balance was too low; it is taken from the next credits. */
  readonly isOwed: boolean
  readonly lastStatus: number | null
}

const fromDb = (row: store.DeliveryRow): Delivery => ({
  id: row.public_id,
  event: row.event_id,
  type: row.type as EventType,
  isTest: row.is_test,
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
const mostAttempts = 100
const mostAgain = 10_000
const chartDays = 7

export type DeliveryPage = { readonly deliveries: Delivery[]; readonly next: string | null }

/** A page of 50, newest first; `cursor` is `next` of the page before, or null. @throws RefusedError not_found */
export async function deliveriesOf(
  { pool }: WebhookRoom,
  accountId: number,
  endpoint: string,
  asked: store.DeliveryFilter & { cursor: string | null },
): Promise<DeliveryPage> {
  const found = await readEndpoint(pool, accountId, endpoint)
  if (!found) throw unknownEndpoint()
  const rows = await store.readDeliveries(pool, found.id, asked, asked.cursor, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { deliveries: shown.map(fromDb), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}

export type OneDelivery = Delivery & {
  readonly endpoint: string
  readonly url: string
  readonly eventAt: Date
  /** The data of the event, as it is sent. */
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

/** One delivery with each attempt, newest first. @throws RefusedError not_found */
export async function deliveryOf({ pool }: WebhookRoom, accountId: number, id: string): Promise<OneDelivery> {
  const row = await store.readDelivery(pool, accountId, id)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'There is no such delivery.'))
  const tries = (await store.readAttempts(pool, row.id, mostAttempts)).map(({ outcome, total_ms, first_byte_ms, headers, body, ...attempt }) => ({
    ...attempt,
    isDelivered: outcome === 'delivered',
    totalMs: total_ms,
    firstByteMs: first_byte_ms,
    headers: headers ?? {},
    body: body ?? '',
  }))
  const data: unknown = JSON.parse(row.data)
  return { ...fromDb(row), endpoint: row.endpoint, url: row.url, eventAt: row.event_at, data, tries }
}

/**
 * Sends again: one delivery, all of a span of time, or all that died, in order and with their own ids. What was charged is not charged again; what was
 * not is, with its first 2xx. At most 10,000 at a time. Returns how many. @throws RefusedError not_found; FieldsError
 */
export async function redeliver(room: WebhookRoom, owner: WebhookOwner & { accountId: number }, endpoint: string, again: store.Again): Promise<number> {
  const { accountId, actor, address } = owner
  await demandAccess(room, accountId)
  return inTransaction(room.pool, async (client) => {
    const row = await lockEndpoint(client, accountId, endpoint)
    if (!row) throw unknownEndpoint()
    const now = new Date(clock.now())
    const count = await store.sendAgain(client, row.id, again, now, mostAgain)
    if (count === 0 && again.kind === 'one') throw new FieldsError({ form: 'There is no such delivery, or it is waiting to be sent already.' })
    await wake(client, row.id, now)
    await writeAudit(client, { accountId, actor, action: 'webhook.redeliver', subject: endpoint, after: { ...again, count }, address })
    return count
  })
}

export type WebhookHealth = {
  /** Share of attempts that were delivered, 0 to 1; null when there was none. */
  readonly successRate: number | null
  readonly attempts: number
  /** One for each hour with an attempt, oldest first. */
  readonly hours: readonly {
    readonly hour: Date
    readonly attempts: number
    readonly delivered: number
    readonly medianMs: number | null
    readonly p95Ms: number | null
  }[]
}

/** How an endpoint did in the last seven days. @throws RefusedError not_found */
export async function healthOf({ pool }: WebhookRoom, accountId: number, endpoint: string): Promise<WebhookHealth> {
  const found = await readEndpoint(pool, accountId, endpoint)
  if (!found) throw unknownEndpoint()
  const rows = await store.readHours(pool, found.id, new Date(clock.now() - chartDays * 86_400_000))
  const [attempts, delivered] = [rows.reduce((sum, row) => sum + row.attempts, 0), rows.reduce((sum, row) => sum + row.delivered, 0)]
  const hours = rows.map(({ median_ms: medianMs, p95_ms: p95Ms, ...hour }) => ({ ...hour, medianMs, p95Ms }))
  return { attempts, successRate: attempts === 0 ? null : delivered / attempts, hours }
}

const forgottenAtOnce = 5_000

/** Forgets what is older than it is kept, some at a time. */
export function tidyDeliveries({ pool }: Pick<WebhookRoom, 'pool'>): Promise<number> {
  return store.forgetDeliveries(pool, new Date(clock.now() - keptDeliveryDays * 86_400_000), forgottenAtOnce)
}
