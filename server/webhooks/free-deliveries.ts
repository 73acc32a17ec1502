import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Transaction } from '#server/db/prisma.ts'

/** Deliveries that cost nothing, by kind, with the columns that count them. */
const columns = {
  tests: { from: 'testsFrom', count: 'testsCount' },
  again: { from: 'againFrom', count: 'againCount' },
} as const

type Kind = keyof typeof columns

/** Counter of an account for the current window. */
export type FreeCounter = { readonly used: number; readonly since: Date; readonly add: (count: number) => Promise<void> }

/**
 * Locks the account's counter of free deliveries until the transaction ends, so that concurrent requests can't exceed a limit. The counter includes the
 * deliveries of all endpoints, even deleted ones. Lock the endpoint first.
 */
export async function lockFreeCounter(tx: Transaction, accountId: number, kind: Kind, now: Date, windowMs: number): Promise<FreeCounter> {
  await lockRows(tx, 'webhook_account', [accountId])
  const { from, count } = columns[kind]
  const row = await tx.webhookAccount.findUniqueOrThrow({ where: { accountId } })
  const start = row[from]
  const isCounting = start !== null && start.getTime() > now.getTime() - windowMs
  const [since, used] = isCounting ? [start, row[count]] : [now, 0]
  const add = async (more: number) => {
    await tx.webhookAccount.update({ where: { accountId }, data: { [from]: since, [count]: used + more }, select: { accountId: true } })
  }
  return { used, since, add }
}

/** Creates the error for a limit whose window began at `since`. `message` says what is limited. */
export function limitReached(message: string, since: Date, windowMs: number, now: Date): RefusedError {
  const retryAfter = Math.max(1, Math.ceil((since.getTime() + windowMs - now.getTime()) / 1_000))
  const wait =
    retryAfter < 60 ? `${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}` : `${Math.ceil(retryAfter / 60)} ${retryAfter > 60 ? 'minutes' : 'minute'}`
  return new RefusedError(refuse('rate_limited', { retryAfter }, `${message} Try again in ${wait}.`))
}
