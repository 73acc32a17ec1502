import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header by which our own listener tells the Next mount in the same process who is calling. */
const header = 'x-svc-peer'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.peer-token')

/** A secret of this process: without it a caller could write the header itself and walk past an address list. */
function token(): string {
  shared[slot] ??= randomBytes(16).toString('hex')
  return String(shared[slot])
}

/** Writes the caller's socket address into a request that is handed to Next, over whatever the caller wrote there. */
export function stampPeer(request: IncomingMessage): void {
  request.headers[header] = `${token()} ${request.socket.remoteAddress ?? ''}`
}

/** The socket address of the caller, or null when the request did not come through our own listener. */
export function readPeer(headers: Headers): string | null {
  const [given, address] = (headers.get(header) ?? '').split(' ')
  return given === token() && address ? address : null
}
