/** Finds the server that accepts writes among several. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'

/** Thrown if none of the servers accepts writes, for example while a standby is being promoted. */
export class NoPrimaryError extends Error {
  /** SQLSTATE `cannot_connect_now`. */
  readonly code = '57P03'
  /** Connection errors, except those of standbys. */
  readonly errors: readonly unknown[]
  /** True if a standby responded, which may still be promoted. */
  readonly hasStandby: boolean

  constructor(reasons: readonly string[], errors: readonly unknown[], hasStandby: boolean) {
    super(`No server in the database URL accepts writes: ${reasons.join('; ')}.`, { cause: errors[0] })
    this.name = 'NoPrimaryError'
    this.errors = errors
    this.hasStandby = hasStandby
  }
}

/** Thrown if several servers accept writes, which would split the charges between them. */
export class SeveralPrimariesError extends Error {
  readonly code = '57P03'

  constructor(addresses: readonly string[]) {
    super(`Several servers in the database URL accept writes: ${addresses.join(', ')}. Stop all but the current primary, then rebuild them as standbys.`)
    this.name = 'SeveralPrimariesError'
  }
}

const searchTimeoutMs = 2_000
/** Time limit for the other servers to respond once one has accepted writes. */
const othersTimeoutMs = 300
/** Lifetime of a failed search. Connections share it, so that an outage doesn't cause one search per connection. */
const failureKeptMs = 200

export type Server = { readonly host: string; readonly port: number }
type Probe = { readonly client: Client; readonly server: Server; readonly isPrimary: Promise<boolean> }

export const toAddress = ({ host, port }: Server): string => `${host}:${port}`

/** Parameters that PostgreSQL 14 and later report while connecting, and after the next statement when they change. */
const readOnlyParameters = new Set(['in_hot_standby', 'default_transaction_read_only'])

/** Returns a function that returns true while the session is read-only, according to the server's last report. */
export function watchReadOnly(client: Client): () => boolean {
  const on = new Set<string>()
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
    if (!readOnlyParameters.has(parameterName)) return
    if (parameterValue === 'on') on.add(parameterName)
    else on.delete(parameterName)
  })
  return () => on.size > 0
}

export const disconnect = (client: Client): void => void client.connection.stream.destroy()

function probe(config: ClientConfig): Probe {
  const { stream: _, ...own } = config
  const client = new Client({ ...own, connectionTimeoutMillis: searchTimeoutMs })
  // Safe to ignore: `connect` reports the error.
  client.on('error', () => undefined)
  const isReadOnly = watchReadOnly(client)
  return { client, server: { host: client.host, port: client.port }, isPrimary: client.connect().then(() => !isReadOnly()) }
}

const describeError = (error: unknown): string =>
  error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)

export const standbyReason = 'it is a standby or read-only'

/**
 * Connects to all servers at the same time and returns the one that accepts writes.
 * @throws NoPrimaryError if there is none, SeveralPrimariesError if there are several
 */
async function findPrimary(configs: readonly ClientConfig[]): Promise<Server> {
  const probes = configs.map(probe)
  const standby = new Error(standbyReason)
  const writable: Server[] = []
  const answers = probes.map(async ({ server, isPrimary }) => {
    if (!(await isPrimary)) throw standby
    writable.push(server)
    return server
  })
  try {
    const first = await Promise.any(answers)
    await Promise.race([Promise.allSettled(answers), sleep(othersTimeoutMs, undefined, { ref: false })])
    if (writable.length > 1) throw new SeveralPrimariesError(writable.map(toAddress))
    return first
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error
    const reasons = error.errors.map((one, at) => `${probes[at] ? toAddress(probes[at].server) : ''}: ${describeError(one)}`)
    const errors = error.errors.filter((one) => one !== standby)
    throw new NoPrimaryError(reasons, errors, error.errors.includes(standby))
  } finally {
    for (const { client } of probes) disconnect(client)
  }
}

/**
 * Searches in progress, and those that have just failed, by URL. After a failover, all connections of a process are opened at once, and one search is enough
 * for them.
 */
const searches = new Map<string, Promise<Server>>()

export function searchOnce(url: string, configs: readonly ClientConfig[]): Promise<Server> {
  const known = searches.get(url)
  if (known) return known
  const search = findPrimary(configs)
  searches.set(url, search)
  search.then(
    () => searches.delete(url),
    () => setTimeout(() => searches.delete(url), failureKeptMs).unref(),
  )
  return search
}
