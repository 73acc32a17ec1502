import type { Pool } from 'pg'
import { type QueueDepthRow, readQueueDepth } from './queue-depth.store.ts'

/** How many deliveries wait, since when the oldest of them has been due (null: none is), and events that no delivery was made of yet. */
export type QueueDepth = Readonly<QueueDepthRow>

export async function queueDepth(pool: Pool): Promise<QueueDepth> {
  return readQueueDepth(pool)
}
