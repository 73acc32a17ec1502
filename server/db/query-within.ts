import type { Pool, QueryResultRow } from 'pg'
import { inLongTransaction } from './long-transaction.ts'

/** Runs a statement with a longer timeout than pages and API calls have, and returns its rows. */
export async function queryWithin<Row extends QueryResultRow>(pool: Pool, withinMs: number, text: string, values: readonly unknown[]): Promise<Row[]> {
  return inLongTransaction(pool, withinMs, async (client) => (await client.query<Row>(text, [...values])).rows)
}
