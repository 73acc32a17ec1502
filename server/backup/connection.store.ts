import { Client } from 'pg'

/**
 * Opens a connection for a backup or restore, which may take hours: no time limits, but with keepalives. Destroys the connection if `use` fails, because an
 * unread COPY would never end.
 */
export async function withConnection<Result>(url: string, applicationName: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // If the connection breaks, a query in progress fails. Between queries only this event fires, and the next query fails.
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
