import type { Pool } from 'pg'
import { creditsPerEvent } from '#server/api/contract/events.ts'
import { type DatabaseTime, type QueueDepthRow, readPayers, readQueueDepth, resumeAccount, wakeFree } from './queue.store.ts'

const maxAccounts = 1_000
const maxEndpoints = 1_000

/**
 * Resumes held endpoints, in order, once the account's spendable credits cover its unpaid events and one more event. Also lets held endpoints send free
 * deliveries.
 */
export async function resumeHeld(pool: Pool, now: DatabaseTime = null): Promise<void> {
  for (const account of await readPayers(pool, now, creditsPerEvent, maxAccounts)) await resumeAccount(pool, account, now, creditsPerEvent)
  await wakeFree(pool, now, maxEndpoints)
}

/** Number of waiting deliveries, when the oldest became due (null if none is), and number of events without deliveries. */
export type QueueDepth = Readonly<QueueDepthRow>

export async function queueDepth(pool: Pool): Promise<QueueDepth> {
  return readQueueDepth(pool)
}
