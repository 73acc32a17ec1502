import { Client } from 'pg'
import { getCode, getMessage } from './error-parts.ts'

const connectTimeoutMs = 5_000

/** The server isn't listening yet, or its name is unknown so far, as when containers start together. */
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** PostgreSQL is starting, stopping or recovering, or has no connection slots left. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '08006'])
/** A pooler that can't reach its server uses code 08P01, which also stands for configuration errors. */
const poolerWaits = /server login has been failing|cannot connect to server|server conn crashed|query_wait_timeout|connect timeout/i
const silence = /Connection terminated|timeout expired/

/** Returns true if a retry may succeed without any change in configuration. */
export function mayWorkLater(error: unknown): boolean {
  const code = getCode(error)
  const text = getMessage(error)
  return networkCodes.has(code) || serverCodes.has(code) || (code === '08P01' && poolerWaits.test(text)) || silence.test(text)
}

/** Connects and disconnects. @throws the connection error */
export async function reachDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'svc-start', connectionTimeoutMillis: connectTimeoutMs })
  // If the connection breaks between two steps, this event fires and the next step fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => undefined)
  }
}
