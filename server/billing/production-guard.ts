import type { Database } from '#server/db/prisma.ts'
import { countSimulated, hasServedProduction, holdsLivePurchases, readSimulated, reverseSimulated, setServesProduction } from './production-guard.store.ts'

/** Marks the database as used in production. Writes only the first time, so that starting on a read-only database doesn't fail. */
export async function markProductionDatabase(pool: Database): Promise<void> {
  if (!(await hasServedProduction(pool))) await setServesProduction(pool)
}

/**
 * Refuses to start development features (simulated payments, readable email, generated market data) on a production database. Runs before migrations, so that a
 * rejected start changes nothing. @throws if the database was used in production or contains live payments
 */
export async function refuseProductionDatabase(pool: Database): Promise<void> {
  const reason = (await hasServedProduction(pool))
    ? 'has been used in production'
    : (await holdsLivePurchases(pool))
      ? 'holds purchases paid with real money'
      : null
  if (reason === null) return
  throw new Error(`This database ${reason}, so development features must not run on it. Use another database, or set NODE_ENV=production.`)
}

const pageSize = 200

type ReversedPurchase = { readonly topUp: string; readonly account: string; readonly mode: 'test' | 'simulated'; readonly credits: number }

/**
 * Takes back the credits of every purchase made without real money, as a refund does. If the credits were already spent, the balance falls below zero. Each
 * purchase is reversed once, by one statement, so it is safe to repeat an interrupted run or to run it concurrently. Changes nothing with `isDryRun`.
 */
export async function reverseSimulatedPurchases(pool: Database, { isDryRun }: { isDryRun: boolean }): Promise<ReversedPurchase[]> {
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

/** Refuses to start in production with credits that were not paid for. @throws if there are any, with the command that reverses them in the message */
export async function refuseSimulatedPurchases(pool: Database): Promise<void> {
  const { purchases, credits } = await countSimulated(pool)
  if (purchases === 0) return
  throw new Error(
    `This database holds simulated purchases (number: ${purchases}, total credits: ${credits}), which must not be spent in production. Reverse them with: npm run svc -- billing reverse-simulated`,
  )
}
