import type { Pool } from 'pg'
import { countSimulated, readSimulated, reverseSimulated } from './simulated-purchases.store.ts'

const pageSize = 200

export type ReversedPurchase = { readonly topUp: string; readonly account: string; readonly mode: 'test' | 'simulated'; readonly credits: number }

/**
 * Takes back the credits of every purchase without real money, like a refund: credits already spent leave the balance below zero. Each purchase is
 * reversed once, by one statement, so it is safe to repeat an interrupted run or to run it concurrently. Changes nothing with `isDryRun`.
 */
export async function reverseSimulatedPurchases(pool: Pool, { isDryRun }: { isDryRun: boolean }): Promise<ReversedPurchase[]> {
  const reversed: ReversedPurchase[] = []
  for (let after = '0'; ; ) {
    const page = await readSimulated(pool, after, pageSize)
    for (const { id, top_up: topUp, account, mode, credits } of page) {
      if (!isDryRun) await reverseSimulated(pool, id)
      reversed.push({ topUp, account, mode, credits: Number(credits) })
      after = id
    }
    if (page.length < pageSize) return reversed
  }
}

/** Refuses to start in production with credits that were not paid for. @throws with the command that reverses them */
export async function refuseSimulatedPurchases(pool: Pool): Promise<void> {
  const { purchases, credits } = await countSimulated(pool)
  if (purchases === 0) return
  throw new Error(
    `This database holds simulated purchases (${purchases}, of ${credits} credits), which must not be spent in production. Reverse them with: npm run svc -- billing reverse-simulated`,
  )
}
