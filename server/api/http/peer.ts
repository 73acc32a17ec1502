import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isFromThisMachine } from '#server/runtime/loopback.ts'

/** Header that passes the caller's details from our own listener to Next's route handlers in the same process. */
const header = 'x-svc-peer'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.peer-token')

/** Returns this process's secret token. The token keeps callers from forging the header and bypassing an IP allowlist. */
function token(): string {
  shared[slot] ??= randomBytes(16).toString('hex')
  return String(shared[slot])
}

function isToken(given = ''): boolean {
  const [ours, theirs] = [Buffer.from(token()), Buffer.from(given)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

/**
 * Stamps a request for Next with the caller's address and the original target, overwriting any value that the caller sent. Needed because Next takes the
 * address from a header that anyone can send, and rewrites the query.
 */
export function stampPeer(request: IncomingMessage, address: string | null): void {
  // After a form submission that redirects, Next itself fetches the next page, with proxy headers. That request counts as local if the submission was local.
  const isLocal = parse(request.headers[header])?.isLocal ?? isFromThisMachine(address, request)
  request.headers[header] = `${token()} ${address ?? '-'} ${isLocal ? 'local' : '-'} ${request.url ?? ''}`
}

type Peer = {
  readonly address: string | null
  /** True if the request was sent from this machine, judging by its original headers. */
  readonly isLocal: boolean
  readonly url: string
}

/** Parses a stamp. Returns null if this process did not create it: only this process knows the token. */
function parse(stamp: string | string[] | null | undefined): Peer | null {
  const [given, address, local, url] = String(stamp ?? '').split(' ')
  if (address === undefined || url === undefined || !isToken(given)) return null
  return { address: address === '-' ? null : address, isLocal: local === 'local', url }
}

/**
 * Returns the original caller of a request that this process made to itself through Next; null for any other request. After a form submission that redirects,
 * Next fetches the next page with the submission's headers, including its stamp.
 */
export const selfFetchPeer = (request: IncomingMessage): Pick<Peer, 'address'> | null => parse(request.headers[header])

/** Returns the stamp that our listener set, or null if the request did not come through it. */
export const readPeer = (headers: Headers): Peer | null => parse(headers.get(header))

/**
 * Returns true for a request sent from this machine. Only these requests can use development features. Without our own listener, the origin is unknown and the
 * result is false.
 */
export const isLocalRequest = (headers: Headers): boolean => readPeer(headers)?.isLocal === true
