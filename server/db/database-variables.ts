import { Client } from 'pg'
import { z } from 'zod'
import { getParameter, getSessionAttributes, splitHosts } from './primary-client.ts'

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i

/** Returns true if connections to the host leave this machine. Unix socket paths begin with a slash. */
const isRemote = (host: string): boolean => !host.startsWith('/') && !loopback.test(host)

/** Parses a URL with the driver, so that the check and the connection interpret it identically. */
function parseUrl(url: string): { readonly host: string; readonly isVerified: boolean } {
  const { host, ssl } = new Client({ connectionString: url }) as { host: string; ssl: boolean | { rejectUnauthorized?: boolean } }
  return { host, isVerified: ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false) }
}

/**
 * Returns an error if a PostgreSQL URL is unusable without DATABASE_TLS=off, otherwise null. The error is phrased to follow the variable's name. Traffic to
 * other machines must be encrypted, with a verified certificate.
 */
function tlsFault(url: string): string | null {
  try {
    return splitHosts(url)
      .map(parseUrl)
      .every(({ host, isVerified }) => isVerified || !isRemote(host))
      ? null
      : 'must have sslmode=verify-full, because the server is on another machine; DATABASE_TLS=off allows a connection without TLS'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return `is not usable: the URL or a certificate file it names can't be read${code}`
  }
}

const writable = new Set([null, 'read-write', 'primary'])

/** Returns true if a URL names several hosts in its parameters, which only libpq understands. A single host, such as a socket folder, can be a parameter. */
function hasHostList(url: string): boolean {
  const parameters = ['host', 'port'].map((name) => getParameter(url, name)).filter((value) => value !== null)
  return parameters.some((value) => value.includes(',')) || (parameters.length > 0 && splitHosts(url).length > 1)
}

const address = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgresql://', abort: true })
  .refine((url) => splitHosts(url).every((one, _, all) => all.length === 1 || (URL.canParse(one) && new URL(one).hostname !== '')), {
    error: 'must be a URL, such as postgresql://user:password@db1:5432,db2:5432/svc',
    abort: true,
  })
  .refine((url) => !hasHostList(url), {
    error: 'must list several hosts before the database name, as in postgresql://user:password@db1:5432,db2:5432/svc, not in the parameters host and port',
    abort: true,
  })
  .refine(
    (url) => writable.has(getSessionAttributes(url)),
    'must have target_session_attrs=read-write or omit it: the service only works with the primary server',
  )
  .optional()

/** Environment variables for the database connection. */
export const databaseVariables = {
  DATABASE_URL: address,
  DATABASE_POOLER: z.enum(['none', 'transaction'], 'must be none or transaction').default('none'),
  DATABASE_DIRECT_URL: address,
  DATABASE_REPLICA_URL: address,
  DATABASE_MIGRATION_URL: address,
  DATABASE_TLS: z.enum(['required', 'off'], 'must be required or off').optional(),
}

type Given = z.infer<z.ZodObject<typeof databaseVariables>>

export const getDatabaseEnv = (v: Given) => ({
  /** Null means the embedded PostgreSQL in the data folder. */
  databaseUrl: v.DATABASE_URL ?? null,
  /** True if `databaseUrl` is a transaction-mode pooler: each transaction may use a different connection. */
  isPooled: v.DATABASE_POOLER === 'transaction',
  /** URL of the server without a pooler, for migrations and the command line. Null means `databaseUrl`. */
  directUrl: v.DATABASE_DIRECT_URL ?? null,
  /** URL of a streaming replica, from which history is read; null if there is none. */
  replicaUrl: v.DATABASE_REPLICA_URL ?? null,
  /** URL with the role that owns the tables, for migrations. Null means `directUrl`. */
  migrationUrl: v.DATABASE_MIGRATION_URL ?? null,
})

const addresses = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_MIGRATION_URL'] as const

/** Requires TLS to PostgreSQL on other machines: in production unless DATABASE_TLS is off, elsewhere only if DATABASE_TLS is required. */
export function checkDatabaseTls(given: Given & { readonly NODE_ENV?: string | undefined }, ctx: z.RefinementCtx): void {
  const { NODE_ENV: mode, DATABASE_TLS: tls = mode === 'production' ? 'required' : 'off' } = given
  if (tls === 'off') return
  for (const name of addresses) {
    const url = given[name]
    const message = url === undefined ? null : tlsFault(url)
    if (message !== null) ctx.addIssue({ code: 'custom', path: [name], message })
  }
}

/** Validates combinations of variables. A pooler needs a direct URL, because migrations rely on session locks and long statements. */
export function checkDatabase(given: Given, ctx: z.RefinementCtx): void {
  const issue = (path: keyof Given, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
  if (given.DATABASE_POOLER === 'transaction' && given.DATABASE_DIRECT_URL === undefined) {
    issue('DATABASE_DIRECT_URL', 'must be set as well, since DATABASE_POOLER is: migrations and the command line connect to the server directly')
  }
  const hasSeveralHosts = (url = '') => splitHosts(url).length > 1
  if (hasSeveralHosts(given.DATABASE_REPLICA_URL)) issue('DATABASE_REPLICA_URL', 'must have only one host')
  if (given.DATABASE_REPLICA_URL !== undefined && getSessionAttributes(given.DATABASE_REPLICA_URL) !== null) {
    issue('DATABASE_REPLICA_URL', "must not have target_session_attrs: a replica doesn't accept writes")
  }
  if (given.DATABASE_POOLER === 'transaction' && hasSeveralHosts(given.DATABASE_URL)) {
    issue('DATABASE_URL', 'must have only one host, because DATABASE_POOLER is set: the pooler chooses the server')
  }
  for (const name of ['DATABASE_POOLER', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_MIGRATION_URL'] as const) {
    const isSet = given[name] !== undefined && given[name] !== 'none'
    if (isSet && given.DATABASE_URL === undefined) issue('DATABASE_URL', `must be set as well, since ${name} is`)
  }
}
