import { type AlertMatched, alertUrl, creditsPerEvent, type LowBalance, topUpUrl } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { type AccountEventRow, type AlertFacts, forwardEvents, insertAccountEvent, insertDeliveries, skipEvents } from './fan-out.sql.ts'
import { type DatabaseTime, readNext, readPayers, resumeAccount, wakeFree } from './queue.sql.ts'
import type { OutgoingEvent, WrittenData } from './webhook-deps.ts'

/**
 * Returns up to `limit` events after a sequence number, in order, and the sequence number of the last event examined, which equals `after` if there are no more
 * events.
 */
export type EventSource = (after: number, limit: number) => Promise<{ readonly events: readonly OutgoingEvent[]; readonly last: number }>

const maxEvents = 200
/** Maximum number of deliveries per statement, so that each statement finishes within the timeout. Exceeded only if a single event has more deliveries. */
const maxDeliveries = 20_000

type FanOutOptions = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

const getBatchSize = (receivers: number) => Math.max(1, Math.min(maxEvents, Math.floor(maxDeliveries / receivers)))

/** Turns market events into deliveries until none are left. Safe to run concurrently: each event is handled once. */
export async function fanOut(db: Database, source: EventSource, { now = null, signal }: FanOutOptions = {}): Promise<void> {
  while (!signal?.aborted) {
    const receivers = await db.webhookEndpoint.count({ where: { state: { in: ['active', 'paused', 'held'] } } })
    if (receivers === 0) return skipEvents(db)
    const progress = await db.webhookProgress.findFirst({ select: { afterSeq: true } })
    const after = Number(progress?.afterSeq ?? 0)
    const { events, last } = await source(after, getBatchSize(receivers))
    if (last === after) return
    await insertDeliveries(db, now, after, last, events)
  }
}

const batchSize = 200

/** Serialises the data of an account event. */
function write({ account, event, at: time }: AccountEventRow, publicUrl: string): WrittenData {
  const at = time.toISOString()
  const data =
    event.type === 'balance.low'
      ? ({ account, ...event.facts, at, topUp: topUpUrl(publicUrl) } satisfies LowBalance)
      : ({ account, ...event.facts, at, url: alertUrl(publicUrl, event.facts.alert) } satisfies AlertMatched)
  const written = JSON.stringify(data)
  return { data: written, dataWithLogos: written }
}

/** Stores an `alert.matched` event for the account's endpoints that are subscribed to it now, in the transaction that stores the notification. */
export const addAlertEvent = (tx: Transaction, accountId: number, facts: AlertFacts): Promise<void> =>
  insertAccountEvent(tx, accountId, { type: 'alert.matched', facts })

/** Turns account events into deliveries until none are left. Safe to run concurrently: each event is handled once. */
export async function fanOutToOwners(db: Database, publicUrl: string, { now = null, signal }: FanOutOptions = {}): Promise<void> {
  for (let taken = batchSize; taken === batchSize && !signal?.aborted; ) {
    taken = await forwardEvents(db, now, batchSize, (row) => write(row, publicUrl))
  }
}

const maxAccounts = 1_000
const maxEndpoints = 1_000

/**
 * Charges each account's unpaid events, oldest first, as far as its spendable credits allow. Resumes its held endpoints if enough is left for one more event.
 * Also lets held endpoints send free deliveries.
 */
export async function resumeHeld(db: Database, now: DatabaseTime = null): Promise<void> {
  for (const account of await readPayers(db, now, creditsPerEvent, maxAccounts)) await resumeAccount(db, account, now, creditsPerEvent)
  await wakeFree(db, now, maxEndpoints)
}

const [minPauseMs, heldPauseMs] = [1_000, 30_000]

/**
 * Returns the time at which the next delivery is due, but at least a second from now, because an overdue delivery is held by another worker, which is sending
 * it or died while sending it.
 */
export async function nextDeliveryAt(db: Database): Promise<Date | null> {
  const { dueAt } = await readNext(db)
  return dueAt && new Date(Math.max(dueAt.getTime(), clock.now() + minPauseMs))
}

/**
 * Returns the time of the next check of held endpoints, or null if there are none. By then, free deliveries may be due or a monthly cap may have been reset.
 */
export async function nextResumptionAt(db: Database): Promise<Date | null> {
  return (await readNext(db)).isAnyHeld ? new Date(clock.now() + heldPauseMs) : null
}
