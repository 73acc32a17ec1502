import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { inTransaction } from './transaction.ts'

/** How much longer than the server the driver waits, for a server that cannot even say that time is up. */
const silenceMs = 2_000

/** What PostgreSQL says when a statement took longer than it may. */
const queryCanceled = '57014'

/** Whether a statement was ended because its time was up. */
export const isTimeUp = (error: unknown): boolean => error instanceof DatabaseError && error.code === queryCanceled

/** The time limit that the driver has of its own for a connection, in milliseconds. */
type Driver = { readonly connectionParameters: { query_timeout: number | false } }

/**
 * Runs `work` in one transaction whose statements may each take longer than anything that a page or a call waits for, but not longer than `withinMs`.
 * The connection has the limits of its pool again afterwards.
 */
export async function inLongTransaction<Result>(pool: Pool, withinMs: number, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${withinMs}`)
    const { connectionParameters: limits } = client as PoolClient & Driver
    const usual = limits.query_timeout
    limits.query_timeout = withinMs + silenceMs
    try {
      return await work(client)
    } finally {
      limits.query_timeout = usual
    }
  })
}
