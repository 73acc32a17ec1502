import { DatabaseError, type Pool, type PoolClient, type QueryResultRow } from 'pg'

/** Runs `work` in one transaction: commits if it resolves, rolls back if it rejects. */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // If the connection breaks between two statements, only this event fires. Without a listener it would end the process.
  const onBreak = (error: Error) => {
    broken = error
  }
  client.on('error', onBreak)
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((rollback: unknown) => {
      // Close a connection that can't roll back instead of returning it to the pool.
      broken = rollback instanceof Error ? rollback : new Error(String(rollback))
    })
    throw error
  } finally {
    client.off('error', onBreak)
    client.release(broken)
  }
}

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

/** Runs a statement with a longer timeout than pages and API calls have, and returns its rows. */
export async function queryWithin<Row extends QueryResultRow>(pool: Pool, withinMs: number, text: string, values: readonly unknown[]): Promise<Row[]> {
  return inLongTransaction(pool, withinMs, async (client) => (await client.query<Row>(text, [...values])).rows)
}
