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

/**
 * Writes the caller's address and the target as it came into a request that is handed to Next, over whatever the caller wrote there:
 * Next takes the address from a header that anyone can send, and writes the query anew.
 */
export function stampPeer(request: IncomingMessage, address: string | null): void {
  request.headers[header] = `${token()} ${address ?? '-'} ${request.url ?? ''}`
}

/** What our own listener stamped, or null when the request did not come through it. */
export function readPeer(headers: Headers): { readonly address: string | null; readonly url: string } | null {
  const [given, address, url] = (headers.get(header) ?? '').split(' ')
  if (given !== token() || address === undefined || url === undefined) return null
  return { address: address === '-' ? null : address, url }
}
