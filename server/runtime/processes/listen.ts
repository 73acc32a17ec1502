import type { Server } from 'node:http'
import { createServer, type ListenOptions, type Server as NetServer } from 'node:net'

export type ListenAt = {
  readonly port: number
  /** Null: loopback, 127.0.0.1 and ::1. */
  readonly host: string | null
  /** Keeps the port from being shared with other workers. */
  readonly exclusive?: boolean
}

/** Error codes of a system without IPv6. */
const withoutIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

const getCode = (error: unknown): string => String((error as NodeJS.ErrnoException).code)

/** Starts listening and returns the port. @throws an error that an operator can act on if the port is in use. */
function listenOn(server: NetServer, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) => {
      reject(
        cause.code === 'EADDRINUSE'
          ? new Error(`Port ${options.port} is in use. Stop the program that uses it, or set PORT to another port.`, { cause })
          : cause,
      )
    }
    server.once('error', onError)
    server.listen(options, () => {
      server.off('error', onError)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : Number(options.port))
    })
  })
}

/** Listens on ::1 for a server that listens on 127.0.0.1. Returns null if this system has no IPv6. */
async function listenOnIpv6(server: Server, port: number): Promise<NetServer | null> {
  // Same options as Node's HTTP server. Connections are passed to that server, so its connection tracking sees them too.
  const companion = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  companion.maxConnections = server.maxConnections
  companion.on('drop', (dropped) => server.emit('drop', dropped))
  try {
    await listenOn(companion, { port, host: '::1' })
  } catch (error) {
    if (withoutIpv6.has(getCode(error))) return null
    throw error
  }
  return companion
}

/** Starts listening. Without a host, listens on loopback in IPv4 and IPv6, so that localhost and 127.0.0.1 both answer, but no other address. */
export async function listen(server: Server, { port, host, exclusive = false }: ListenAt): Promise<{ port: number; companions: NetServer[] }> {
  const taken = await listenOn(server, { port, host: host ?? '127.0.0.1', exclusive })
  const companion = host === null ? await listenOnIpv6(server, taken) : null
  return { port: taken, companions: companion === null ? [] : [companion] }
}

/** Returns the URL at which a listening process reaches itself. */
export function getOrigin(host: string | null, port: number): string {
  const isEverywhere = host === null || host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}
