import { Client } from 'pg'
import { codeOf, messageOf } from './error-parts.ts'

const connectTimeoutMs = 5_000

/** Nobody listens there yet, or the name is not known yet, as when containers start together. */
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** PostgreSQL is starting, stopping, in recovery, or has no connection left. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '08006'])
/** A pooler that has not reached its server says so with 08P01, which also stands for faults of the settings. */
const poolerWaits = /server login has been failing|cannot connect to server|server conn crashed|query_wait_timeout|connect timeout/i
const silence = /Connection terminated|timeout expired/

/** Returns true if the same address may work later, without any change of the settings. */
export function mayWorkLater(error: unknown): boolean {
  const code = codeOf(error)
  const text = messageOf(error)
  return networkCodes.has(code) || serverCodes.has(code) || (code === '08P01' && poolerWaits.test(text)) || silence.test(text)
}

/** Connects and disconnects. @throws what the database, or the way to it, says. */
export async function reachDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'svc-start', connectionTimeoutMillis: connectTimeoutMs })
  // A connection that breaks between two steps says so by this event; the step that follows fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => undefined)
  }
}
