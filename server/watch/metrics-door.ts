import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const path = /^\/metrics(?:\?|$)/
const bearer = /^bearer +(\S+) *$/i

export type DoorSettings = { readonly token: string | null; readonly isProduction: boolean }

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

const hasToken = (header: string | undefined, token: string): boolean => timingSafeEqual(digest(bearer.exec(header ?? '')?.[1] ?? ''), digest(token))

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
/** What a proxy writes: whoever comes through one is not on this machine, wherever its connection comes from. */
const forwarding = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

function isOnThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '') || !ownHost.test(headers.host ?? '')) return false
  return !Object.keys(headers).some((name) => forwarding.test(name))
}

/** Whether a request is one of the operator for `/metrics`. To everybody else the address leads nowhere, and is answered as any that does. */
export function isForOperator(url: string, request: IncomingMessage, { token, isProduction }: DoorSettings): boolean {
  if (!path.test(url) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  return token === null ? !isProduction && isOnThisMachine(request) : hasToken(request.headers.authorization, token)
}
