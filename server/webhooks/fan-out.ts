import { creditsPerEvent, type LowBalance, topUpUrl } from '#server/api/contract/webhooks.ts'
import type { Database } from '#server/db/prisma.ts'
import { type AccountEventRow, forwardEvents, insertDeliveries, readProgress, skipEvents } from './fan-out.store.ts'
import { type DatabaseTime, type QueueDepthRow, readPayers, readQueueDepth, resumeAccount, wakeFree } from './queue.store.ts'
import type { OutgoingEvent, WrittenData } from './webhook-deps.ts'

/**
 * Returns up to `limit` events after a sequence number, in order, and the sequence number of the last event examined. If the latter equals `after`, there are
 * no more events.
 */
export type EventSource = (after: number, limit: number) => Promise<{ readonly events: readonly OutgoingEvent[]; readonly last: number }>

const maxEvents = 200
/** Maximum deliveries per statement, so that it finishes within the statement timeout. Exceeded only if a single event has more. */
const maxDeliveries = 20_000

type FanOutOptions = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

const getBatchSize = (receivers: number) => Math.max(1, Math.min(maxEvents, Math.floor(maxDeliveries / receivers)))

/** Turns market events into deliveries until none are left. Safe to run concurrently: each event is handled once. */
export async function fanOut(pool: Database, source: EventSource, { now = null, signal }: FanOutOptions = {}): Promise<void> {
  while (!signal?.aborted) {
    const { after, receivers } = await readProgress(pool)
    if (receivers === 0) return skipEvents(pool)
    const { events, last } = await source(after, getBatchSize(receivers))
    if (last === after) return
    await insertDeliveries(pool, now, after, last, events)
  }
}

const batchSize = 200

/** Serialises the data of an account event. `balance.low` is the only type so far. */
function write({ account, facts, at }: AccountEventRow, publicUrl: string): WrittenData {
  const { thresholdCredits, balanceCredits } = facts
  const data = JSON.stringify({ account, thresholdCredits, balanceCredits, at: at.toISOString(), topUp: topUpUrl(publicUrl) } satisfies LowBalance)
  return { data, dataWithLogos: data }
}

type Options = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

/** Turns account events into deliveries until none are left. Safe to run concurrently: each event is handled once. */
export async function fanOutToOwners(pool: Database, publicUrl: string, { now = null, signal }: Options = {}): Promise<void> {
  for (let taken = batchSize; taken === batchSize && !signal?.aborted; ) {
    taken = await forwardEvents(pool, now, batchSize, (row) => write(row, publicUrl))
  }
}

const maxAccounts = 1_000
const maxEndpoints = 1_000

/**
 * Resumes held endpoints, in order, once the account's spendable credits cover its unpaid events and one more event. Also lets held endpoints send free
 * deliveries.
 */
export async function resumeHeld(pool: Database, now: DatabaseTime = null): Promise<void> {
  for (const account of await readPayers(pool, now, creditsPerEvent, maxAccounts)) await resumeAccount(pool, account, now, creditsPerEvent)
  await wakeFree(pool, now, maxEndpoints)
}

/** State of the queue: the number of waiting deliveries, when the oldest became due (null if none is due), and the number of events not fanned out yet. */
export type QueueDepth = Readonly<QueueDepthRow>

export async function queueDepth(pool: Database): Promise<QueueDepth> {
  return readQueueDepth(pool)
}
