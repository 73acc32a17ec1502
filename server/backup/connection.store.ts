import { Client } from 'pg'

/**
 * One connection for as long as a backup or a restore takes, which may be hours: nothing on it has a time limit, but the server is asked whether it is
 * still there. It is given up at once when `use` fails, since a COPY that nobody reads on has no other end.
 */
export async function withConnection<Result>(url: string, applicationName: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A connection that breaks fails the query under way; between queries only this event tells, and the next query fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result = await use(client)
    await client.end()
    return result
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}
