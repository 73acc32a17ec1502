import type { Pool } from 'pg'
import { type MailQueueRow, readMailQueue } from './mail-queue.store.ts'

/** How many mails wait, and since when the oldest of them could have been sent; null: none is due. */
export type MailQueue = Readonly<MailQueueRow>

export async function mailQueue(pool: Pool): Promise<MailQueue> {
  return readMailQueue(pool)
}
