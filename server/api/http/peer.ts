import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isFromThisMachine } from '#server/runtime/loopback.ts'

/** The header by which our own listener tells the Next mount in the same process who is calling. */
const header = 'x-svc-peer'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.peer-token')

/** A secret of this process: without it a caller could write the header itself and walk past an address list. */
function token(): string {
  shared[slot] ??= randomBytes(16).toString('hex')
  return String(shared[slot])
}

function isToken(given = ''): boolean {
  const [ours, theirs] = [Buffer.from(token()), Buffer.from(given)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

/**
 * Writes the caller's address and the target as it came into a request that is handed to Next, over whatever the caller wrote there:
 * Next takes the address from a header that anyone can send, and writes the query anew.
 */
export function stampPeer(request: IncomingMessage, address: string | null): void {
  // After a form Next fetches the page that follows by itself, with headers of a proxy: that request is as local as the one that it repeats.
  const isLocal = parse(request.headers[header])?.isLocal ?? isFromThisMachine(address, request)
  request.headers[header] = `${token()} ${address ?? '-'} ${isLocal ? 'local' : '-'} ${request.url ?? ''}`
}

type Peer = {
  readonly address: string | null
  /** True if the request was sent from this machine, by the headers it arrived with. */
  readonly isLocal: boolean
  readonly url: string
}

/** Reads a stamp; null if it is not one of this process, which alone knows its token. */
function parse(stamp: string | string[] | null | undefined): Peer | null {
  const [given, address, local, url] = String(stamp ?? '').split(' ')
  if (address === undefined || url === undefined || !isToken(given)) return null
  return { address: address === '-' ? null : address, isLocal: local === 'local', url }
}

/**
 * Returns the caller of a request that Next sent to this process itself: after a form that redirects it fetches the next page, with the headers of the form
 * and so with its stamp. Null for any other request.
 */
export const selfFetchPeer = (request: IncomingMessage): Pick<Peer, 'address'> | null => parse(request.headers[header])

/** What our own listener stamped, or null when the request did not come through it. */
export const readPeer = (headers: Headers): Peer | null => parse(headers.get(header))

/** Returns true for a request sent from this machine. Development features are for those alone; without our own listener nobody can tell, so it is false. */
export const isLocalRequest = (headers: Headers): boolean => readPeer(headers)?.isLocal === true
