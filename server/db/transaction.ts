import type { Pool, PoolClient } from 'pg'

/** Runs `work` in one transaction: commits if it resolves, rolls back if it rejects. */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // If the connection breaks between two statements, only this event fires, and an unhandled one would end the process.
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
