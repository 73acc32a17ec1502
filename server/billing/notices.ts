import type { PoolClient } from 'pg'
import { administratorEmails } from '#server/accounts/accounts.ts'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingRoom } from './billing-room.ts'
import { claimNotice, finishNotice, forgetNotices, type NoticeRow, putOffNotice, readNotices } from './notices.store.ts'

/** A notice and who is to have it. */
export type Notice = NoticeNews & {
  /** Public id of the account that it is about; null: it is for administrators. */
  readonly account: string | null
  readonly recipients: readonly string[]
  readonly at: Date
}

/** Hands a notice on, in the transaction that marks it as told: to the queue of mails, or to whatever takes its place. */
export type HandOn = (client: PoolClient, notice: Notice) => Promise<void>

const mostAttempts = 8
const atOnce = 100

async function noticeOf(client: PoolClient, row: NoticeRow): Promise<Notice> {
  const recipients = row.account_id === null ? await administratorEmails(client) : row.email === null ? [] : [row.email]
  // Kind and facts were written together, by the code that has both.
  const news = { notice: row.kind, facts: row.data } as NoticeNews
  return { ...news, account: row.account, recipients, at: row.created_at }
}

/** One notice; false when none waits. */
async function handOne(room: BillingRoom, handOn: HandOn): Promise<boolean> {
  let claimed: NoticeRow | undefined
  try {
    return await inTransaction(room.pool, async (client) => {
      claimed = await claimNotice(client)
      if (!claimed) return false
      await handOn(client, await noticeOf(client, claimed))
      await finishNotice(client, claimed.id)
      return true
    })
  } catch (error) {
    if (!claimed) throw error
    room.log.warn({ err: error, notice: claimed.kind, attempt: claimed.attempts + 1 }, 'A notice could not be handed on; it is tried again.')
    await putOffNotice(room.pool, claimed.id, mostAttempts)
    return true
  }
}

/** Hands on the notices that wait, each once. */
export async function handOnNotices(room: BillingRoom, handOn: HandOn, signal: AbortSignal): Promise<void> {
  for (let handed = 0; handed < atOnce && !signal.aborted; handed++) {
    if (!(await handOne(room, handOn))) return
  }
}

/** A notice as its account reads it. */
export type ShownNotice = NoticeNews & { readonly id: string; readonly at: Date }

const mostShown = 10

/** What an account was told of its money in the last 90 days, newest first. */
export async function noticesOf({ pool }: BillingRoom, accountId: number): Promise<ShownNotice[]> {
  const rows = await readNotices(pool, accountId, mostShown)
  return rows.map((row) => ({ ...({ notice: row.kind, facts: row.data } as NoticeNews), id: row.id, at: row.created_at }))
}

/** Forgets notices that were told long ago. */
export const tidyBilling = forgetNotices
