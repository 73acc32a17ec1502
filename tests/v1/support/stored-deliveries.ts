import { randomUUID } from 'node:crypto'
import { newPublicId } from '#server/ids.ts'
import type { Caller, Fixture } from './fixture.ts'

/** Delivery to store. Without successful attempts, it is due tomorrow; otherwise it is delivered and, unless it is a test, charged. */
export type StoredDelivery = {
  readonly type?: string
  readonly isTest?: boolean
  readonly attempts?: number
  readonly isFailed?: boolean
  /** Default: the time of creation. */
  readonly deliveredAt?: Date
  readonly data?: object
}

/** Stores deliveries of a webhook endpoint, a minute apart from a given time, and returns their public ids. The data of each contains its number `n`. */
export async function storeDeliveries(
  { pool }: Pick<Fixture, 'pool'>,
  { account }: Pick<Caller, 'account'>,
  webhook: string,
  from: number,
  all: readonly StoredDelivery[],
): Promise<string[]> {
  const { id: endpointId } = await pool.webhookEndpoint.findUniqueOrThrow({ where: { publicId: webhook }, select: { id: true } })
  const made: string[] = []
  for (const [n, { type = 'rate.changed', isTest = false, attempts = 1, isFailed = false, data = {}, ...given }] of all.entries()) {
    const [publicId, eventId, createdAt] = [newPublicId('dlv'), `evt_${randomUUID()}`, new Date(from + n * 60_000)]
    const text = JSON.stringify({ n, ...data })
    await pool.webhookEvent.create({ data: { id: eventId, type, createdAt, data: text, dataWithLogos: text } })
    const isDelivered = attempts > 0 && !isFailed
    const deliveredAt = given.deliveredAt ?? createdAt
    const outcome = isDelivered ? { state: 'delivered' as const, deliveredAt, chargedAt: isTest ? null : deliveredAt } : { state: 'waiting' as const }
    const row = { publicId, endpointId, accountId: account.id, eventId, isTest, attempts, dueAt: new Date(Date.now() + 86_400_000), createdAt, ...outcome }
    await pool.webhookDelivery.create({ data: row, select: { id: true } })
    made.push(publicId)
  }
  return made
}
