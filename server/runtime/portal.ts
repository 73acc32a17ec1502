import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import compression from 'compression'
import { isApiPath, isDrawing, isVersionPath } from '#server/api/http/address-shapes.ts'
import { stampPeer } from '#server/api/http/peer.ts'
import { answering, batchPerTurn, compressing } from '#server/api/http/portal-answers.ts'
import { restoreEncoding } from '#server/api/http/web-request.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { getReference } from '#server/observability/log-reference.ts'
import { contentPolicy, newNonce, openerPolicy, pageHeaders } from './content-policy.ts'
import { PublicPageServer } from './page-cache/public-page-server.ts'
import type { Dispatch } from './page-cache/render-page.ts'
import type { Service } from './service.ts'

/** Matches Next's messages about unknown actions or malformed forms. Any client can cause any number of them. */
const clientFaults = /Server Reference ID|Server Action|header with value|Unexpected end of form|Multipart|boundary|Malformed|Failed to parse body as FormData/i

/**
 * Matches Next's message about a form rejected because its Origin header differs from our host. Usually another site sent the form. But it is logged as a
 * warning, because a proxy or one of our headers may hide the origin of our pages, and then no user can submit a form.
 */
const rejectedOrigin = /origin.+Aborting the action/i

const longestText = 1_000

type Level = 'error' | 'warn' | 'info'

/** Returns the first error among the logged values, with the reference shown on its error page. Without an error, returns the start of the logged text. */
function toLogFields(parts: readonly unknown[]): { err: Error; reference?: string } | { said: string } {
  const error = parts.find((part) => part instanceof Error)
  if (!error) return { said: parts.map(String).join(' ').slice(0, longestText) }
  const reference = getReference(error)
  return reference === null ? { err: error } : { err: error, reference }
}

function logConsoleCall(log: Log, level: Level, parts: readonly unknown[]): void {
  const fields = toLogFields(parts)
  const message = 'err' in fields ? fields.err.message : fields.said
  if (rejectedOrigin.test(message)) log.warn(fields, 'A form was rejected because it was not sent from our own pages.')
  else if (clientFaults.test(message)) log.debug(fields, 'The portal received an invalid form or an unknown action.')
  else log[level](fields, level === 'error' ? 'The portal failed.' : 'Next wrote to the console.')
}

/** Redirects Next's console output to our log, which adds structure and limits its length; otherwise clients could write any text to the console. */
export function logNext(log: Log, console: object = globalThis.console): void {
  const forward =
    (level: Level) =>
    (...parts: unknown[]) =>
      logConsoleCall(log, level, parts)
  Object.assign(console, { error: forward('error'), warn: forward('warn'), log: forward('info'), info: forward('info') })
}

/** The Next application: portal, site and, on hosts that only run Next, the API itself. */
export type Portal = {
  handle: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
  attach: (server: Server) => void
  upgrades: (request: IncomingMessage) => boolean
  close: () => Promise<void>
}

/**
 * Matches paths of pages with a token in the URL, which must not reach other sites through the Referer header. Their referrer policy is `same-origin`, because
 * with `no-referrer` browsers send forms with `Origin: null`, which Next rejects.
 */
const tokenPath = /^\/(?:confirm|reset|alerts\/unsubscribe)(?:[/?]|$)/

/** Removes headers that only Next itself may set. The listener has already removed forwarding headers that did not come from a trusted proxy. */
function dropInternal({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-middleware-')) delete headers[name]
}

/** Sets the headers of a page that don't depend on its content. */
function setPageHeaders(response: ServerResponse, headers: ReturnType<typeof pageHeaders>, url: string): void {
  for (const [name, value] of headers) response.setHeader(name, value)
  response.setHeader('Cross-Origin-Opener-Policy', openerPolicy(url))
  if (tokenPath.test(url)) response.setHeader('Referrer-Policy', 'same-origin')
}

/** Matches Next's internal headers, which reveal the address of this process and the page that a request was rewritten to. */
const internalHeader = /^x-(?:middleware-|nextjs-rewritten-)/i

/** Prevents Next from setting its internal headers on a response. */
function hideInternal(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => (internalHeader.test(name) ? response : setHeader(name, value))
}

const compress = compression({ filter: compressing() })

/** Sets a page's content security policy on the response, and on the request, where Next reads the nonce for its scripts. */
function setPolicy(request: IncomingMessage, response: ServerResponse, env: Env): void {
  const policy = contentPolicy(newNonce(), env)
  request.headers['content-security-policy'] = policy
  // Logos and card images have a stricter policy. Next would not apply it if this one were already set.
  if (!isDrawing(request.url ?? '')) response.setHeader('Content-Security-Policy', policy)
}

/**
 * Disables `flushHeaders`, which Next calls before it writes the body. API responses are complete at that point, so headers and body are sent together. This
 * saves one socket write, an eighth of the cost of a call.
 */
function sendInOneWrite(response: ServerResponse): void {
  response.flushHeaders = () => undefined
}

export async function openPortal(env: Env, service: Service, log: Log): Promise<Portal> {
  // In development, Next's output stays on the console, where developers read it.
  if (!env.isDevelopment) logNext(log)
  const { default: next } = await import('next')
  // Next does not listen on this port. But with any other host, or without a port, it would treat the rewrites of proxy.ts as external and call another server.
  const app = next({ dev: env.isDevelopment, dir: process.cwd(), hostname: 'localhost', port: 3000 })
  await app.prepare()
  const handle = app.getRequestHandler()
  const handleCall = batchPerTurn(([request, response]: [IncomingMessage, ServerResponse]) => void handle(request, response))
  const headers = pageHeaders(env)
  const renderForAll: Dispatch = (request, response) => {
    stampPeer(request, null)
    answering(response, () => void handle(request, response))
  }
  const publicPages = new PublicPageServer(env, service, renderForAll, log)
  const renderForReader = (request: IncomingMessage, response: ServerResponse) => {
    hideInternal(response)
    restoreEncoding(request, response)
    setPolicy(request, response, env)
    // The types are from Express, but the code uses only members that Node's request and response have.
    compress(request as never, response as never, () => answering(response, () => void handle(request, response)))
  }
  return {
    handle: (request, response, address) => {
      stampPeer(request, address)
      dropInternal(request)
      if (isApiPath(request.url ?? '')) {
        sendInOneWrite(response)
        restoreEncoding(request, response)
        // All calls get one URL that Next matches directly, because matching a catch-all route would account for a tenth of the cost of a call. `stampPeer`
        // has saved the
        // original URL in a header.
        if (isVersionPath(request.url ?? '')) request.url = '/v1'
        handleCall([request, response])
        return
      }
      setPageHeaders(response, headers, request.url ?? '')
      publicPages.handle(request, response, address, () => renderForReader(request, response))
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
