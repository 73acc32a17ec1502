import { Client } from 'pg'

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i

/** True if connections to the host leave this machine. Unix socket paths begin with a slash. */
const isRemote = (host: string): boolean => !host.startsWith('/') && !loopback.test(host)

/** Parses a URL with the driver itself, so that nothing it accepts is missed here. */
function parseUrl(url: string): { readonly host: string; readonly isVerified: boolean } {
  const { host, ssl } = new Client({ connectionString: url }) as { host: string; ssl: boolean | { rejectUnauthorized?: boolean } }
  return { host, isVerified: ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false) }
}

/**
 * Returns why a PostgreSQL URL requires DATABASE_TLS=off, as a sentence without its subject, or null. Traffic to other machines must be encrypted, with a
 * verified certificate.
 */
export function tlsFault(url: string): string | null {
  try {
    const { host, isVerified } = parseUrl(url)
    return isVerified || !isRemote(host)
      ? null
      : 'must have sslmode=verify-full, because the server is on another machine; DATABASE_TLS=off allows a connection without TLS'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return `is not usable: the URL or a certificate file it names can't be read${code}`
  }
}
