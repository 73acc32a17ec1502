import { verifyLedger } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import type { LoadResult } from './load/load-types.ts'

/** Number of requests in the log, and the credits charged for them. */
export type Charged = { readonly requests: number; readonly credits: number }

export async function chargedSoFar(pool: Database): Promise<Charged> {
  const { rows } = await pool.query<{ requests: string; credits: string }>('SELECT count(*) AS requests, coalesce(sum(credits), 0) AS credits FROM request_log')
  return { requests: Number(rows[0]?.requests), credits: Number(rows[0]?.credits) }
}

/** Verifies that every response was a 200. @throws if not. */
export function proveAnswers(label: string, result: LoadResult): void {
  if (result.notOk > 0) throw new Error(`${label}: ${result.notOk} of ${result.answered} responses did not have status 200. The first:\n${result.firstFault}`)
}

/**
 * Verifies the charges of a metered run: every response reports a charge, the log has exactly the reported charges, and every balance equals
 * the sum of its entries and is not below zero.
 */
export async function proveCharges(label: string, pool: Database, before: Charged, result: LoadResult): Promise<Charged> {
  const after = await chargedSoFar(pool)
  const requests = after.requests - before.requests
  const credits = after.credits - before.credits
  if (result.uncharged > 0) throw new Error(`${label}: ${result.uncharged} responses report no charge.`)
  if (requests !== result.answered || credits !== result.credits) {
    throw new Error(`${label}: ${result.answered} responses report ${result.credits} credits, but the log has ${requests} rows and ${credits} credits.`)
  }
  const { differences } = await verifyLedger(pool)
  if (differences.length > 0)
    throw new Error(`${label}: ${differences.length} balances do not equal the sum of their entries. The first: ${JSON.stringify(differences[0])}.`)
  const { rows } = await pool.query<{ negative: string }>('SELECT count(*) AS negative FROM wallet WHERE balance < 0')
  if (Number(rows[0]?.negative) > 0) throw new Error(`${label}: ${rows[0]?.negative} balances are below zero.`)
  return after
}
