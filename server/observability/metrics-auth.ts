import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isFromThisMachine } from '#server/runtime/loopback.ts'

const path = /^\/metrics(?:\?|$)/
const bearer = /^bearer +(\S+) *$/i

export type MetricsAuthSettings = { readonly token: string | null; readonly developmentFeatures: boolean }

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

const hasToken = (header: string | undefined, token: string): boolean => timingSafeEqual(digest(bearer.exec(header ?? '')?.[1] ?? ''), digest(token))

/** Returns true if a request was sent from this machine, and its Host header has the port it arrived at. Behind a proxy, that header has the proxy's port. */
const isDirect = (request: IncomingMessage): boolean =>
  isFromThisMachine(request.socket.remoteAddress, request) && Number(/:(\d+)$/.exec(request.headers.host ?? '')?.[1] ?? 80) === request.socket.localPort

/** Returns true if a request for `/metrics` is from the operator. Anyone else gets the same response as for an unknown URL. */
export function isForOperator(url: string, request: IncomingMessage, { token, developmentFeatures }: MetricsAuthSettings): boolean {
  if (!path.test(url) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  return token === null ? developmentFeatures && isDirect(request) : hasToken(request.headers.authorization, token)
}
