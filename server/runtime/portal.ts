import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import compression from 'compression'
import { isApiPath, isDrawing, isVersionPath } from '#server/api/http/address-shapes.ts'
import { answering } from '#server/api/http/answer-status.ts'
import { batchPerTurn } from '#server/api/http/batch-per-turn.ts'
import { compressing } from '#server/api/http/compressing.ts'
import { stampPeer } from '#server/api/http/peer.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { logNext } from './next-console.ts'
import { contentPolicy, newNonce, pageHeaders } from './page-headers.ts'

/** The Next application: portal, site and, on hosts that only run Next, the API itself. */
export type Portal = {
  handle: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
  attach: (server: Server) => void
  upgrades: (request: IncomingMessage) => boolean
  close: () => Promise<void>
}

/**
 * Paths of pages with a token in the URL, which must not reach other sites in the referrer. The policy is `same-origin`, because with `no-referrer` browsers
 * send forms with `Origin: null`, which Next refuses.
 */
const tokenPath = /^\/(?:confirm|reset)(?:[/?]|$)/

/** Removes headers that only Next itself may set. The listener has already removed forwarding headers that did not come from a trusted proxy. */
function dropInternal({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-middleware-')) delete headers[name]
}

/** Internal headers of Next: they reveal the address of this process and the page that a request was rewritten to. */
const internalHeader = /^x-(?:middleware-|nextjs-rewritten-)/i

/** Keeps internal headers of Next out of a response. */
function hideInternal(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => (internalHeader.test(name) ? response : setHeader(name, value))
}

const compress = compression({ filter: compressing() })

/** Sets the content security policy of a page, on the request too: Next reads the nonce for its scripts from there. */
function setPolicy(request: IncomingMessage, response: ServerResponse, env: Env): void {
  const policy = contentPolicy(newNonce(), env)
  request.headers['content-security-policy'] = policy
  // Drawings send a stricter policy. If this one were set first, Next would keep it instead.
  if (!isDrawing(request.url ?? '')) response.setHeader('Content-Security-Policy', policy)
}

/**
 * Holds back headers that Next flushes before it writes the body. API responses are complete at that point, so headers and body are sent together. This
 * saves one socket write, an eighth of the cost of a call.
 */
function drainWhole(response: ServerResponse): void {
  response.flushHeaders = () => undefined
}

export async function openPortal(env: Env, log: Log): Promise<Portal> {
  // In development, developers read the console.
  if (!env.isDevelopment) logNext(log)
  const { default: next } = await import('next')
  // Next listens on no port itself. With any other host, or without a port, it would treat the rewrites of proxy.ts as external and call another server.
  const app = next({ dev: env.isDevelopment, dir: process.cwd(), hostname: 'localhost', port: 3000 })
  await app.prepare()
  const handle = app.getRequestHandler()
  const handleCall = batchPerTurn(([request, response]: [IncomingMessage, ServerResponse]) => void handle(request, response))
  const headers = pageHeaders(env)
  return {
    handle: (request, response, address) => {
      stampPeer(request, address)
      dropInternal(request)
      if (isApiPath(request.url ?? '')) {
        drainWhole(response)
        // All calls get one URL that Next matches directly, because matching a catch-all route is a tenth of the cost of a call. The original URL is in
        // the stamp.
        if (isVersionPath(request.url ?? '')) request.url = '/v1'
        handleCall([request, response])
        return
      }
      hideInternal(response)
      setPolicy(request, response, env)
      for (const [name, value] of headers) response.setHeader(name, value)
      if (tokenPath.test(request.url ?? '')) response.setHeader('Referrer-Policy', 'same-origin')
      // Typed for Express, but uses only what Node's request and response have.
      compress(request as never, response as never, () => answering(response, () => void handle(request, response)))
    },
    // Hot reload uses a separate WebSocket.
    attach: (server) => {
      if (env.isDevelopment) server.on('upgrade', (request, socket, head) => void app.getUpgradeHandler()(request, socket, head))
    },
    // Next would otherwise receive every upgrade request, including those that curl sends with an API call.
    upgrades: ({ url = '' }) => env.isDevelopment && url.startsWith('/_next/'),
    close: () => app.close(),
  }
}
