import type { Pool, QueryResultRow } from 'pg'
import { inLongTransaction } from './long-transaction.ts'

/** Rows of a statement that may take longer than anything that a page or a call waits for, but not longer than this. */
export async function queryWithin<Row extends QueryResultRow>(pool: Pool, withinMs: number, text: string, values: readonly unknown[]): Promise<Row[]> {
  return inLongTransaction(pool, withinMs, async (client) => (await client.query<Row>(text, [...values])).rows)
}
