import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { inTransaction } from './transaction.ts'

/** Extra time the driver waits after the server's timeout, in case the server doesn't respond at all. */
const silenceMs = 2_000

/** SQLSTATE of a statement timeout. */
const queryCanceled = '57014'

/** Returns true if a statement was cancelled because of its timeout. */
export const isTimeUp = (error: unknown): boolean => error instanceof DatabaseError && error.code === queryCanceled

/** The driver's query timeout for a connection, in milliseconds. */
type Driver = { readonly connectionParameters: { query_timeout: number | false } }

/** Runs `work` in a transaction with a longer statement timeout than pages and API calls have. Restores the connection's limits afterwards. */
export async function inLongTransaction<Result>(pool: Pool, timeoutMs: number, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`)
    const { connectionParameters: limits } = client as PoolClient & Driver
    const previousTimeout = limits.query_timeout
    limits.query_timeout = timeoutMs + silenceMs
    try {
      return await work(client)
    } finally {
      limits.query_timeout = previousTimeout
    }
  })
}
