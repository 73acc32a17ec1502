import { clock } from '#server/clock.ts'
import { readMoved } from './balance-days.store.ts'
import type { BillingRoom } from './billing-room.ts'

/** A UTC day of a balance: what was left at its end, or is left now, and what came by top-ups. */
export type BalanceDay = { readonly day: string; readonly balanceCredits: number; readonly movedCredits: number; readonly toppedUpCredits: number }

const daysShown = 30
const dayMs = 86_400_000

/** The balance at the end of each of the last days, the oldest first; the last one is now. Worked out from now backwards, so that it ends in the balance. */
export async function balanceDays({ pool }: Pick<BillingRoom, 'pool'>, accountId: number): Promise<BalanceDay[]> {
  const days = Array.from({ length: daysShown }, (_, back) => new Date(clock.now() - back * dayMs).toISOString().slice(0, 10))
  const rows = await readMoved(pool, accountId, days.at(-1) ?? '')
  const movedOn = new Map(rows.map((row) => [row.day, row]))
  let balanceCredits = Number(rows[0]?.balance ?? 0)
  const told = days.map((day) => {
    const row = movedOn.get(day)
    const movedCredits = Number(row?.credits ?? 0)
    const end = { day, balanceCredits, movedCredits, toppedUpCredits: Number(row?.topped_up ?? 0) }
    balanceCredits -= movedCredits
    return end
  })
  return told.reverse()
}
