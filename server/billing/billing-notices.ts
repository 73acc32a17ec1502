import { administratorEmails } from '#server/accounts/accounts.ts'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { claimNotice, deleteOldNotices, finishNotice, type NoticeRow, postponeNotice, readNotices } from './notices.store.ts'

/** Notice with its recipients. */
export type Notice = NoticeNews & {
  /** Public id of the account; null for a notice to administrators. */
  readonly account: string | null
  readonly recipients: readonly string[]
  readonly at: Date
}

/** Delivers a notice within the transaction that marks it as sent, usually by enqueueing an email. */
export type DeliverNotice = (client: Transaction, notice: Notice) => Promise<void>

const maxAttempts = 8
const batchSize = 100

async function toNotice(client: Transaction, row: NoticeRow): Promise<Notice> {
  const recipients = row.account_id === null ? await administratorEmails(client) : row.email === null ? [] : [row.email]
  // The kind and its data were stored together, so they match.
  const news = { notice: row.kind, facts: row.data } as NoticeNews
  return { ...news, account: row.account, recipients, at: row.created_at }
}

/** Delivers one notice. Returns false if none is due. */
async function deliverNext(deps: BillingDeps, deliver: DeliverNotice): Promise<boolean> {
  let claimed: NoticeRow | undefined
  try {
    return await inTransaction(deps.pool, async (client) => {
      claimed = await claimNotice(client)
      if (!claimed) return false
      await deliver(client, await toNotice(client, claimed))
      await finishNotice(client, claimed.id)
      return true
    })
  } catch (error) {
    if (!claimed) throw error
    deps.log.warn({ err: error, notice: claimed.kind, attempt: claimed.attempts + 1 }, 'Failed to deliver a billing notice; retrying.')
    await postponeNotice(deps.pool, claimed.id, maxAttempts)
    return true
  }
}

/** Delivers up to 100 due notices, each exactly once. */
export async function deliverNotices(deps: BillingDeps, deliver: DeliverNotice, signal: AbortSignal): Promise<void> {
  for (let count = 0; count < batchSize && !signal.aborted; count++) {
    if (!(await deliverNext(deps, deliver))) return
  }
}

/** Notice as shown to its account. */
type ShownNotice = NoticeNews & { readonly id: string; readonly at: Date }

const maxShown = 10

/** Returns the account's latest billing notices (up to 10, at most 90 days old), newest first. */
export async function listNotices({ pool }: BillingDeps, accountId: number): Promise<ShownNotice[]> {
  const rows = await readNotices(pool, accountId, maxShown)
  return rows.map((row) => ({ ...({ notice: row.kind, facts: row.data } as NoticeNews), id: row.id, at: row.created_at }))
}

/** Deletes notices that were sent more than 90 days ago. */
export const tidyBilling = deleteOldNotices
