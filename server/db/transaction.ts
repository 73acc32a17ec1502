import type { Pool, PoolClient } from 'pg'

/** Runs `work` in one transaction: all of it holds, or nothing of it. */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that breaks between two statements says so by this event alone, and an event that nobody hears ends the process.
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
      // A connection that cannot roll back is closed instead of being handed to the next user.
      broken = rollback instanceof Error ? rollback : new Error(String(rollback))
    })
    throw error
  } finally {
    client.off('error', onBreak)
    client.release(broken)
  }
}
