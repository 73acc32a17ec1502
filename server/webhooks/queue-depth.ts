import type { Pool } from 'pg'
import { type QueueDepthRow, readQueueDepth } from './queue-depth.store.ts'

/** Number of waiting deliveries, when the oldest became due (null if none is), and number of events without deliveries. */
export type QueueDepth = Readonly<QueueDepthRow>

export async function queueDepth(pool: Pool): Promise<QueueDepth> {
  return readQueueDepth(pool)
}
