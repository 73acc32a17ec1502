/**
 * Client that accepts several servers in a URL, as libpq does: `postgresql://user@db1:5432,db2:5432/svc`. Each connection goes to the server that accepts writes.
 * node-postgres has no such option (brianc/node-postgres, issues 1470 and 2781).
 */
import { Client, type ClientConfig } from 'pg'
import { disconnect, NoPrimaryError, searchOnce, standbyReason, toAddress, watchReadOnly } from './find-primary.ts'

/** `userinfo@`, the hosts, and the rest of the URL. */
const urlParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i

/** Connection parameter of libpq: properties that a session must have. */
const attributes = 'target_session_attrs'

function splitQuery(url: string): [base: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Replaces the parameters of a URL that may contain several hosts, which `URL` rejects. */
export function withParameters(url: string, change: (parameters: URLSearchParams) => void): string {
  const [base, query] = splitQuery(url)
  const parameters = new URLSearchParams(query)
  change(parameters)
  return parameters.size === 0 ? base : `${base}?${parameters}`
}

/** Returns one URL for each host. A URL with a single host is returned unchanged. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = urlParts.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url]
}

/** Returns the value of a parameter, or null. */
export const getParameter = (url: string, name: string): string | null => new URLSearchParams(splitQuery(url)[1]).get(name)

/** Returns the value of `target_session_attrs`, or null. */
export const getSessionAttributes = (url: string): string | null => getParameter(url, attributes)

/** Returns the hosts and ports in a URL, without user, password or parameters. */
export const getAddresses = (url: string): string => urlParts.exec(url)?.[2] ?? ''

/** Open connections to the primary, and its last address, by the addresses in the URL. */
type Connections = { readonly clients: Set<Client>; address: string }
const connections = new Map<string, Connections>()

const changeListeners = new Set<() => void>()

/** Calls `listener` when this process connects to a different primary, or to one with a different history. Returns a function that removes the listener. */
export function onPrimaryChange(listener: () => void): () => void {
  changeListeners.add(listener)
  return () => void changeListeners.delete(listener)
}

/** Notifies the listeners that the primary or its history has changed. */
export function notifyPrimaryChange(): void {
  for (const notify of changeListeners) notify()
}

/**
 * Records a new connection. If it leads to a different server, closes all connections to the old primary: an idle connection, such as the job listener's, would
 * not detect the change.
 */
function noteConnection(addresses: string, client: Client): void {
  const address = toAddress(client)
  const known = connections.get(addresses) ?? { clients: new Set(), address }
  connections.set(addresses, known)
  known.clients.add(client)
  client.once('end', () => known.clients.delete(client))
  if (known.address === address) return
  known.address = address
  for (const other of known.clients) if (toAddress(other) !== address) disconnect(other)
  notifyPrimaryChange()
}

type Callback = (error: Error | null, client?: Client) => void

export class PrimaryClient extends Client {
  // Private to JavaScript too, because a pool attaches the client to the errors of idle connections, which are logged.
  readonly #url: string
  /** One configuration for each server; empty if the URL has one server and doesn't require a writable session. */
  readonly #configs: readonly ClientConfig[]

  constructor(config: ClientConfig = {}) {
    const url = config.connectionString ?? ''
    const plain = getSessionAttributes(url) === null ? url : withParameters(url, (parameters) => parameters.delete(attributes))
    const configs = splitHosts(plain).map((connectionString) => ({ ...config, connectionString }))
    super(configs[0])
    this.#url = url
    this.#configs = configs.length > 1 || plain !== url ? configs : []
  }

  override connect(): Promise<Client>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<Client> | undefined {
    if (this.#configs.length === 0) return super.connect(callback as never) as unknown as Promise<Client> | undefined
    const connected = this.#connectToPrimary()
    if (callback === undefined) return connected
    connected.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    )
  }

  async #connectToPrimary(): Promise<Client> {
    const server = await searchOnce(this.#url, this.#configs)
    Object.assign(this, server)
    const isReadOnly = watchReadOnly(this)
    await super.connect()
    // The server may have changed its role since the search.
    if (isReadOnly()) {
      disconnect(this)
      throw new NoPrimaryError([`${toAddress(server)}: ${standbyReason}`], [], true)
    }
    // Ends the session between two transactions, and before the pool gets the connection back, because the pool keeps only connections that aren't ending.
    this.connection.prependListener('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I' && isReadOnly()) this.end(() => undefined)
    })
    noteConnection(getAddresses(this.#url), this)
    return this
  }
}
