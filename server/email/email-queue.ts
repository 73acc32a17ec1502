import type { Pool } from 'pg'
import { type MailQueueRow, readMailQueue } from './email-queue.store.ts'

/** Number of waiting emails, and when the oldest could first have been sent (null if none is due). */
export type MailQueue = Readonly<MailQueueRow>

export async function mailQueue(pool: Pool): Promise<MailQueue> {
  return readMailQueue(pool)
}
