import type { Pool, QueryResultRow } from 'pg'
import { inTransaction } from './transaction.ts'

/** Rows of a statement that may take longer than anything that a page or a call waits for, but not longer than this. */
export async function queryWithin<Row extends QueryResultRow>(pool: Pool, withinMs: number, text: string, values: readonly unknown[]): Promise<Row[]> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${withinMs}`)
    // The driver has a time limit of its own.
    const question = { text, values: [...values], query_timeout: withinMs }
    return (await client.query<Row>(question)).rows
  })
}
