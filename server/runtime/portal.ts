import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import compression from 'compression'
import { isApiPath, isDrawing, isVersionPath } from '#server/api/http/address-shapes.ts'
import { answering } from '#server/api/http/answer-status.ts'
import { compressing } from '#server/api/http/compressing.ts'
import { inOneGo } from '#server/api/http/in-one-go.ts'
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
 * Pages whose address holds a token: no other site learns of it. This one may: a browser that is to say nothing at all says of a form that it comes from
 * nowhere, and Next refuses it.
 */
const tokenPath = /^\/(?:confirm|reset)(?:[/?]|$)/

/** Removes headers that only Next itself may set. The listener has removed forwarding headers that did not come from a trusted proxy. */
function dropInternal({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-middleware-')) delete headers[name]
}

/** Headers that Next writes for itself: they name the address of this process, and the page that a request was rewritten to. */
const internalHeader = /^x-(?:middleware-|nextjs-rewritten-)/i

/** Keeps headers that are Next's own business out of a response. */
function hideInternal(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => (internalHeader.test(name) ? response : setHeader(name, value))
}

const compress = compression({ filter: compressing() })

/** Puts the policy of a page on an answer. Next reads the nonce for the scripts that it writes from the policy too, which it looks for in the request. */
function setPolicy(request: IncomingMessage, response: ServerResponse, env: Env): void {
  const policy = contentPolicy(newNonce(), env)
  request.headers['content-security-policy'] = policy
  // Drawings have a stricter policy of their own, which Next would not put in the place of ours.
  if (!isDrawing(request.url ?? '')) response.setHeader('Content-Security-Policy', policy)
}

/**
 * Next flushes the headers before it writes the body. An answer of the API is there as a whole, so its headers wait for the body and leave with it:
 * one write to the socket less, an eighth of what a call costs the process.
 */
function leaveWhole(response: ServerResponse): void {
  response.flushHeaders = () => undefined
}

export async function openPortal(env: Env, log: Log): Promise<Portal> {
  // In development people read the console.
  if (!env.isDevelopment) logNext(log)
  const { default: next } = await import('next')
  // Next listens nowhere. With any other host, or without a port, it would take the rewrites of proxy.ts for ones to another server and call that.
  const app = next({ dev: env.isDevelopment, dir: process.cwd(), hostname: 'localhost', port: 3000 })
  await app.prepare()
  const handle = app.getRequestHandler()
  const handleCall = inOneGo(([request, response]: [IncomingMessage, ServerResponse]) => void handle(request, response))
  const headers = pageHeaders(env)
  return {
    handle: (request, response, address) => {
      stampPeer(request, address)
      dropInternal(request)
      if (isApiPath(request.url ?? '')) {
        leaveWhole(response)
        // One address for all of them, which Next finds at once: looking among those with a place for any path is a tenth of what a call costs the
        // process. What was asked for stands in the stamp.
        if (isVersionPath(request.url ?? '')) request.url = '/v1'
        handleCall([request, response])
        return
      }
      hideInternal(response)
      setPolicy(request, response, env)
      for (const [name, value] of headers) response.setHeader(name, value)
      if (tokenPath.test(request.url ?? '')) response.setHeader('Referrer-Policy', 'same-origin')
      // It asks for the request and response of Express, and uses of them what Node's have.
      compress(request as never, response as never, () => answering(response, () => void handle(request, response)))
    },
    // Hot reload speaks over a socket of its own.
    attach: (server) => {
      if (env.isDevelopment) server.on('upgrade', (request, socket, head) => void app.getUpgradeHandler()(request, socket, head))
    },
    // Next would have every upgrade handed to it, also those that curl asks for with a call of the API.
    upgrades: ({ url = '' }) => env.isDevelopment && url.startsWith('/_next/'),
    close: () => app.close(),
  }
}
