import { clock } from '#server/clock.ts'
import type { EmailState, Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { EmailData, MailingKind } from './email-content.ts'

/**
 * Enqueues a bulk email in the caller's transaction, as one row regardless of the audience size. `about` identifies its subject; each subject gets one bulk
 * email. A job queues the messages, and the worker renders and sends them.
 */
export async function enqueueBulkEmail<Kind extends MailingKind>(client: Transaction, kind: Kind, about: string, facts: EmailData[Kind]): Promise<void> {
  const { _max } = await client.account.aggregate({ _max: { id: true } })
  const data = { kind, about, data: facts as unknown as Prisma.InputJsonObject, lastAccountId: _max.id ?? 0 }
  await client.bulkEmail.create({ data, select: { id: true } })
}

/** Account that receives a bulk email. */
type Recipient = { readonly accountId: number; readonly email: string }

/** Selects the recipients among accounts with `after` < id <= `upTo`, in id order. */
export type Audience = (client: Transaction, after: number, upTo: number) => Promise<readonly Recipient[]>

/** Number of accounts processed in one transaction. */
const accountsPerBatch = 2_000

/**
 * Queues the messages for the next batch of accounts. Returns false if no bulk email is pending. Advances the progress first, so that only one of several
 * processes queues a batch.
 */
async function queueBatch(client: Transaction, audience: Audience): Promise<boolean> {
  const select = { id: true, kind: true, afterAccountId: true, lastAccountId: true } as const
  const bulkEmail = await client.bulkEmail.findFirst({ where: { doneAt: null }, orderBy: { id: 'asc' }, select })
  if (!bulkEmail) return false
  const { id, kind, afterAccountId, lastAccountId } = bulkEmail
  const upTo = Math.min(lastAccountId, afterAccountId + accountsPerBatch)
  const progress = { afterAccountId: upTo, doneAt: upTo >= lastAccountId ? new Date(clock.now()) : null }
  const { count } = await client.bulkEmail.updateMany({ where: { id, afterAccountId, doneAt: null }, data: progress })
  if (count === 0) return true
  const recipients = await audience(client, afterAccountId, upTo)
  const data = recipients.map(({ accountId, email }) => ({ kind, recipient: email, bulkEmailId: id, accountId }))
  if (data.length > 0) await client.email.createMany({ data, skipDuplicates: true })
  return true
}

const maxEnded = 100

/** Counts the messages of a bulk email by state. */
async function countMessages(db: Db, bulkEmailId: number): Promise<Record<Exclude<EmailState, 'dropped'>, number>> {
  const groups = await db.email.groupBy({ by: ['state'], where: { bulkEmailId }, _count: { _all: true } })
  const count = (state: EmailState) => groups.find((group) => group.state === state)?._count._all ?? 0
  return { waiting: count('waiting'), sent: count('sent'), failed: count('failed'), unsure: count('unsure') }
}

/**
 * Stores the final counts of bulk emails with no messages left to queue or send. Their messages then never need to be counted again, and can be deleted after a
 * month.
 */
export async function finishBulkEmails(db: Database): Promise<void> {
  const where = { endedAt: null, doneAt: { not: null } } as const
  for (const { id } of await db.bulkEmail.findMany({ where, orderBy: { id: 'asc' }, take: maxEnded, select: { id: true } })) {
    if ((await db.email.findFirst({ where: { bulkEmailId: id, state: 'waiting' }, select: { id: true } })) !== null) continue
    const { waiting: _, ...counts } = await countMessages(db, id)
    await db.bulkEmail.updateMany({ where: { ...where, id }, data: { ...counts, endedAt: new Date(clock.now()) } })
  }
}

/**
 * Queues the messages of all pending bulk emails. Messages and progress are committed together, so a crash neither repeats nor skips a message, and several
 * processes can run this concurrently. Then finishes the bulk emails with nothing left to send.
 */
export async function makeMails(pool: Database, audience: Audience, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await inTransaction(pool, (client) => queueBatch(client, audience))));
  if (!signal.aborted) await finishBulkEmails(pool)
}

/**
 * Returns the progress of the bulk emails of one kind, by subject, as numbers of messages. `isMade` is false until all messages are queued; until then, the
 * counts grow. `failed` messages were rejected by the mail server or given up after all attempts. `unsure` ones may have been sent: the connection or process
 * ended before the mail server confirmed them, and they are not retried. Messages are counted only while a bulk email is in progress.
 */
export async function getMailings(pool: Database, kind: MailingKind, abouts: readonly string[]) {
  const select = { id: true, about: true, doneAt: true, endedAt: true, sent: true, failed: true, unsure: true } as const
  const found = await pool.bulkEmail.findMany({ where: { kind, about: { in: [...abouts] } }, take: abouts.length, select })
  const toProgress = async ({ id, doneAt, endedAt, sent, failed, unsure }: (typeof found)[number]) => ({
    isMade: doneAt !== null,
    ...(endedAt === null ? await countMessages(pool, id) : { waiting: 0, sent: sent ?? 0, failed: failed ?? 0, unsure: unsure ?? 0 }),
  })
  return new Map(await Promise.all(found.map(async (one) => [one.about, await toProgress(one)] as const)))
}
