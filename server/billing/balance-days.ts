import { clock } from '#server/clock.ts'
import { readMovements } from './balance-days.store.ts'
import type { BillingDeps } from './billing-deps.ts'

/** Balance at the end of a UTC day (or now, for today), and the credits moved and topped up on that day. */
export type BalanceDay = { readonly day: string; readonly balanceCredits: number; readonly movedCredits: number; readonly toppedUpCredits: number }

const daysShown = 30
const dayMs = 86_400_000

/** Returns the balance at the end of each of the last 30 days, oldest first. Computed backwards from the current balance, so that it ends with it. */
export async function listBalanceDays({ pool }: Pick<BillingDeps, 'pool'>, accountId: number): Promise<BalanceDay[]> {
  const days = Array.from({ length: daysShown }, (_, back) => new Date(clock.now() - back * dayMs).toISOString().slice(0, 10))
  const rows = await readMovements(pool, accountId, days.at(-1) ?? '')
  const movedOn = new Map(rows.map((row) => [row.day, row]))
  let balanceCredits = Number(rows[0]?.balance ?? 0)
  const newestFirst = days.map((day) => {
    const row = movedOn.get(day)
    const movedCredits = Number(row?.credits ?? 0)
    const end = { day, balanceCredits, movedCredits, toppedUpCredits: Number(row?.topped_up ?? 0) }
    balanceCredits -= movedCredits
    return end
  })
  return newestFirst.reverse()
}
