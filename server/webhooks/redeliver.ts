import { writeAudit } from '#server/accounts/audit.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { maxOfAccount, maxSentAgainAnHour } from '#server/api/contract/webhooks.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { demandAccess } from './access.ts'
import { forgetRounds } from './deliveries.sql.ts'
import { type AccountOwner, demandSentTo, lockEndpoint, type StoredEndpoint, wakened } from './endpoints.ts'
import { limitReached, lockFreeCounter } from './free-deliveries.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const maxAtOnce = 5_000
/** Rounds of a delivery whose attempts are kept: the new one and the two before it. */
const keptRounds = 3
const hourMs = 3_600_000

/** Selects the deliveries to redeliver: one delivery, a time range, or all whose last attempt failed, including those that wait for a retry. */
export type Again =
  | { readonly kind: 'one'; readonly id: string }
  | {
      readonly kind: 'range'
      readonly from: Date
      readonly to: Date
      /** Cursor after which redelivery continues; null to start at the beginning of the range. */
      readonly after: string | null
    }
  | { readonly kind: 'failed' }

function toCondition(again: Again, now: Date): Prisma.WebhookDeliveryWhereInput {
  if (again.kind === 'one') return { publicId: again.id, state: { not: 'waiting' } }
  if (again.kind === 'failed') return { OR: [{ state: 'dead' }, { state: 'waiting', attempts: { gt: 0 }, dueAt: { gt: now } }] }
  const { from, to, after } = again
  return { isTest: false, state: { in: ['dead', 'delivered'] }, createdAt: { gte: from, lt: to }, ...(after === null ? {} : { id: { gt: BigInt(after) } }) }
}

/** Number of deliveries that were queued again. `next` is the cursor for the rest of a time range; null if nothing is left. */
export type Redelivered = { readonly count: number; readonly next: string | null }

const digits = (count: number) => count.toLocaleString('en-GB')

/** Queues deliveries of a locked endpoint for a new round of attempts, oldest first, within the limits per call and per hour. @throws RefusedError rate_limited */
async function sendAgain(tx: Transaction, endpoint: StoredEndpoint, again: Again): Promise<Redelivered> {
  const { id, againFrom, againCount } = endpoint
  const now = new Date(clock.now())
  const isCounting = againFrom !== null && againFrom.getTime() > now.getTime() - hourMs
  const [since, used] = isCounting ? [againFrom, againCount] : [now, 0]
  const ofAccount = await lockFreeCounter(tx, endpoint.accountId, 'again', now, hourMs)
  const [left, leftOfAccount] = [maxSentAgainAnHour - used, maxOfAccount.sentAgainAnHour - ofAccount.used]
  const max = Math.max(0, Math.min(maxAtOnce, left, leftOfAccount))
  const where = { endpointId: id, AND: [toCondition(again, now)] }
  const found = await tx.webhookDelivery.findMany({ where, orderBy: { id: 'asc' }, take: max + 1, select: { id: true } })
  const sent = found.slice(0, max).map(({ id }) => id)
  const [last, more] = [sent.at(-1), found.length > max]
  if (last === undefined && more) {
    // Redelivering a paid event is free.
    if (left <= 0) throw limitReached(`You can redeliver ${digits(maxSentAgainAnHour)} deliveries an hour per endpoint.`, since, hourMs, now)
    throw limitReached(`An account can redeliver ${digits(maxOfAccount.sentAgainAnHour)} deliveries an hour.`, ofAccount.since, hourMs, now)
  }
  const data = { state: 'waiting', round: { increment: 1 }, attempts: 0, dueAt: now } as const
  const { count } = last === undefined ? { count: 0 } : await tx.webhookDelivery.updateMany({ where: { AND: [where, { id: { lte: last } }] }, data })
  await forgetRounds(tx, id, sent, keptRounds)
  const counted = { againFrom: since, againCount: used + count }
  await tx.webhookEndpoint.update({ where: { id }, data: { ...wakened(endpoint, now), ...counted }, select: { id: true } })
  if (count > 0) await ofAccount.add(count)
  return { count, next: more ? String(last) : null }
}

/**
 * Redelivers one delivery, a time range, or all deliveries whose last attempt failed, in order and with the same ids. Paid events are not charged again; unpaid ones are charged
 * on their first 2xx response. At most 5,000 per call, 10,000 an hour per endpoint and 20,000 an hour per account.
 * @throws RefusedError not_found, rate_limited; FieldsError
 */
export async function redeliver(deps: WebhookDeps, owner: AccountOwner, endpoint: string, again: Again): Promise<Redelivered> {
  const { accountId, ...by } = owner
  await demandAccess(deps, accountId)
  return inTransaction(deps.pool, async (tx) => {
    const locked = await lockEndpoint(tx, accountId, endpoint)
    demandSentTo(locked)
    const sent = await sendAgain(tx, locked, again)
    const { count } = sent
    if (count === 0 && again.kind === 'one') throw new FieldsError({ form: "This delivery doesn't exist or is already queued. Reload the page." })
    // Admin actions must have an effect or fail. For customers, having nothing to redeliver is not an error.
    if (count === 0 && by.actor === 'admin')
      throw new FieldsError({ form: 'Nothing to redeliver: no matching delivery has failed, or all of them are already queued.' })
    await writeAudit(tx, { ...by, accountId, action: 'webhook.redeliver', subject: endpoint, after: { ...again, count } })
    return sent
  })
}
