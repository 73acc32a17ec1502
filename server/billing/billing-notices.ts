import { administratorEmails } from '#server/accounts/accounts.ts'
import { accountRecipients } from '#server/accounts/recipients.ts'
import type { NoticeData, NoticeKind, NoticeNews } from '#server/api/contract/billing-notices.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { claimNotice } from './claims.sql.ts'

/** Adds a notice, in the same transaction as the change that it reports. If the account is null, the notice goes to the administrators. */
export async function addNotice<Kind extends NoticeKind>(db: Db, accountId: number | null, kind: Kind, data: NoticeData[Kind]): Promise<void> {
  await db.billingNotice.create({ data: { accountId, kind, data }, select: { id: true } })
}

/** Notice with its recipients. */
export type Notice = NoticeNews & {
  /** Public id of the account; null for a notice to administrators. */
  readonly account: string | null
  readonly recipients: readonly string[]
  readonly at: Date
}

/** Delivers a notice within the transaction that marks it as sent, usually by enqueueing an email. */
export type DeliverNotice = (tx: Transaction, notice: Notice) => Promise<void>

const maxAttempts = 8
const batchSize = 100

const recipient = { account: { select: { publicId: true } } } as const satisfies Prisma.BillingNoticeInclude

type NoticeRow = Prisma.BillingNoticeGetPayload<{ include: typeof recipient }>

/** The cast is safe: a notice's kind and data are stored together, so they match. */
const toNews = ({ kind, data }: Pick<NoticeRow, 'kind' | 'data'>) => ({ notice: kind, facts: data }) as unknown as NoticeNews

/** Converts a row to a notice and adds its recipients: the account's owner and billing members, or all administrators. A notice to a closed account has no recipients. */
async function toNotice(tx: Transaction, row: NoticeRow): Promise<Notice> {
  const { account } = row
  const recipients = row.accountId === null ? await administratorEmails(tx) : await accountRecipients(tx, row.accountId, 'billing')
  return { ...toNews(row), account: account?.publicId ?? null, recipients, at: row.createdAt }
}

/** Postpones a notice. After the last attempt, gives up and marks it as sent. */
async function postponeNotice(db: Database, { id, attempts }: NoticeRow): Promise<void> {
  const now = clock.now()
  const data = { attempts: attempts + 1, notBefore: new Date(now + 2 ** attempts * 60_000), ...(attempts + 1 >= maxAttempts ? { sentAt: new Date(now) } : {}) }
  await db.billingNotice.updateMany({ where: { id, attempts }, data })
}

/** Delivers one notice. Returns false if none is due. */
async function deliverNext({ pool: db, log }: BillingDeps, deliver: DeliverNotice): Promise<boolean> {
  let claimed: NoticeRow | undefined
  try {
    return await inTransaction(db, async (tx) => {
      const id = await claimNotice(tx)
      if (id === undefined) return false
      claimed = await tx.billingNotice.findUniqueOrThrow({ where: { id }, include: recipient })
      await deliver(tx, await toNotice(tx, claimed))
      await tx.billingNotice.update({ where: { id }, data: { sentAt: new Date(clock.now()), attempts: { increment: 1 } }, select: { id: true } })
      return true
    })
  } catch (error) {
    if (!claimed) throw error
    log.warn({ err: error, notice: claimed.kind, attempt: claimed.attempts + 1 }, 'Failed to deliver a billing notice; retrying.')
    await postponeNotice(db, claimed)
    return true
  }
}

/** Delivers up to 100 due notices, each exactly once. */
export async function deliverNotices(deps: BillingDeps, deliver: DeliverNotice, signal: AbortSignal): Promise<void> {
  for (let count = 0; count < batchSize && !signal.aborted; count++) {
    if (!(await deliverNext(deps, deliver))) return
  }
}

const maxShown = 10

/** Returns the account's latest billing notices (up to 10, at most 90 days old), newest first. */
export async function listNotices({ pool: db }: BillingDeps, accountId: number) {
  const select = { id: true, kind: true, data: true, createdAt: true } as const
  const rows = await db.billingNotice.findMany({ where: { accountId }, orderBy: { id: 'desc' }, take: maxShown, select })
  return rows.map((row) => ({ ...toNews(row), id: String(row.id), at: row.createdAt }))
}

const keptMs = 90 * 86_400_000
const maxDeleted = 1_000

/** Deletes up to 1,000 notices that were sent more than 90 days ago. */
export async function tidyBilling(db: Database): Promise<void> {
  const where = { sentAt: { lt: new Date(clock.now() - keptMs) } }
  const old = await db.billingNotice.findMany({ where, orderBy: { id: 'asc' }, take: maxDeleted, select: { id: true } })
  await db.billingNotice.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } })
}
