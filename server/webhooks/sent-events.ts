import type { PageRequest } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { EventType } from '#server/api/contract/webhooks.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Db } from '#server/db/prisma.ts'
import { findReadable, type NewestFilter, type ReadablePosition } from './deliveries.sql.ts'
import { readCursor, toCursor } from './delivery-cursor.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const eventSelect = {
  id: true,
  publicId: true,
  isTest: true,
  event: { select: { id: true, type: true, createdAt: true, data: true, dataWithLogos: true } },
  endpoint: { select: { publicId: true, account: { select: { plan: true } } } },
} as const satisfies Prisma.WebhookDeliverySelect

const positionSelect = { id: true, isTest: true, isFree: true, createdAt: true, deliveredAt: true } as const satisfies Prisma.WebhookDeliverySelect

/** Returns the position of a cursor: the position of its delivery or, if the delivery has been deleted, the time in the cursor. */
async function readPosition(db: Db, accountId: number, cursor: string | null): Promise<ReadablePosition | null> {
  if (cursor === null) return null
  const { id, createdAt } = await readCursor(db, accountId, cursor)
  const found = id === null ? null : await db.webhookDelivery.findFirst({ where: { id, accountId }, select: positionSelect })
  if (found) return { id: found.id, at: found.isTest || found.isFree ? found.createdAt : (found.deliveredAt ?? found.createdAt) }
  return { id: null, at: createdAt ?? new Date(0) }
}

const tooManyReads = 'Too many concurrent webhook requests for this account. Retry in 1 second with fewer at once.'

/** Maximum number of concurrent reads per account and process, including the one in progress. */
const maxReads = 10

/** Reads of an account: their number, and a promise that resolves when the last one has finished. */
type Reads = { count: number; last: Promise<unknown> }
const running = new Map<number, Reads>()

/**
 * Runs one read per account at a time, so that the concurrent free calls of an account use one database connection.
 * @throws RefusedError rate_limited if too many are waiting
 */
export async function inTurn<Result>(accountId: number, read: () => Promise<Result>): Promise<Result> {
  const reads = running.get(accountId) ?? { count: 0, last: Promise.resolve() }
  if (reads.count >= maxReads) throw new RefusedError(refuse('rate_limited', { retryAfter: 1 }, tooManyReads))
  running.set(accountId, reads)
  reads.count++
  const result = reads.last.then(read)
  reads.last = result.catch(() => undefined)
  try {
    return await result
  } finally {
    if (--reads.count === 0) running.delete(accountId)
  }
}

async function readPage(db: Db, filter: Omit<NewestFilter, 'state'>, { limit, after }: PageRequest) {
  const rows = await findReadable(db, filter, await readPosition(db, filter.accountId, after), limit + 1)
  const matches = rows.filter(({ isMatch }) => isMatch)
  const shown = matches.slice(0, limit)
  const isFull = matches.length > limit
  /** End of the search, if it ended before the page was full. The next page continues there. */
  const end = isFull ? undefined : rows.find(({ isMatch }) => !isMatch)
  const stored = await db.webhookDelivery.findMany({ where: { id: { in: shown.map(({ id }) => BigInt(id)) } }, take: limit, select: eventSelect })
  const byId = new Map(stored.map((delivery) => [String(delivery.id), delivery]))
  const keys = [...shown, ...(end ? [end] : [])].map(({ publicId, at }) => toCursor({ publicId, createdAt: at }))
  return { shown, byId, more: isFull || end !== undefined, keys }
}

/**
 * Returns a page of the readable events of an account's endpoints of one mode, with their data as sent. Leaves out live events that are waiting or whose
 * attempts all failed, because they haven't been charged. The most recently readable events come first, so a live event that was delivered late is listed by
 * its delivery time. A search for a rare type may end early; `keys` then has one key more than there are rows.
 */
export async function listEvents({ pool: db }: Pick<WebhookDeps, 'pool'>, filter: Omit<NewestFilter, 'state'>, page: PageRequest) {
  const { shown, byId, more, keys } = await inTurn(filter.accountId, () => readPage(db, filter, page))
  const rows = shown.flatMap(({ id, at }) => {
    const delivery = byId.get(id)
    // Deleted between the two statements.
    if (!delivery) return []
    const { publicId, isTest, event, endpoint } = delivery
    return {
      id: event.id,
      type: event.type as EventType,
      createdAt: event.createdAt,
      data: endpoint.account.plan === 'enterprise' ? event.dataWithLogos : event.data,
      isTest,
      endpoint: endpoint.publicId,
      delivery: publicId,
      /** Time since which the event can be read. It never changes, even if the event is redelivered. */
      sentAt: at,
    }
  })
  return { rows, more, keys }
}

/** Event that was sent, with its data as text. */
export type SentEvent = Awaited<ReturnType<typeof listEvents>>['rows'][number]
