import { Client } from 'pg'

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i

/** True if a connection leaves this machine. Unix sockets begin with a slash. */
const isRemote = (host: string): boolean => !host.startsWith('/') && !loopback.test(host)

/** Returns the options that the driver itself reads from an address, so that nothing it accepts can be missed here. */
function optionsOf(url: string): { readonly host: string; readonly isVerified: boolean } {
  const { host, ssl } = new Client({ connectionString: url }) as { host: string; ssl: boolean | { rejectUnauthorized?: boolean } }
  return { host, isVerified: ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false) }
}

/**
 * Returns why an address of PostgreSQL may not be used without DATABASE_TLS=off, as a sentence without its subject, or null. Traffic that leaves this machine
 * has to be encrypted to a server whose certificate is checked.
 */
export function tlsFault(url: string): string | null {
  try {
    const { host, isVerified } = optionsOf(url)
    return isVerified || !isRemote(host)
      ? null
      : 'must have sslmode=verify-full, because the server is on another machine; DATABASE_TLS=off allows a connection without TLS'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return `cannot be used: the address or a certificate file that it names cannot be read${code}`
  }
}
