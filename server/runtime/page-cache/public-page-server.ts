import type { IncomingMessage, ServerResponse } from 'node:http'
import fresh from 'fresh'
import Negotiator from 'negotiator'
import { hasSignedInMark, signedInCookie } from '#components/site/signed-in-mark.ts'
import { NetworkLimit } from '#server/api/http/network-limit.ts'
import { hasSessionCookie } from '#server/api/http/request-faults.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { Service } from '../service.ts'
import { ContentChanges } from './content-changes.ts'
import { readScriptFiles } from './page-scripts.ts'
import { PublicPageCache } from './public-page-cache.ts'
import { findPublicPage, type PageRequest } from './public-pages.ts'
import { type Dispatch, renderPage } from './render-page.ts'
import type { StoredPage } from './stored-page.ts'

/** Share of a network's pages per minute that may be rendered without being cached: missing pages and pages that can't be stored. */
const wastedShare = 0.2

/** Request, and how to serve it if its page can't come from memory. */
type Reader = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly address: string | null
  readonly renderForReader: () => void
}

function openCache(env: Env, version: () => string, dispatch: Dispatch, log: Log): PublicPageCache {
  const settings = { ...env, scripts: readScriptFiles(process.cwd()) }
  return new PublicPageCache({ render: (request) => renderPage(dispatch, request, env), version, settings, log })
}

/** Encodings of stored pages, best first. */
const encodings = ['br', 'gzip', 'identity'] as const

/** Sends a stored page in the best encoding that the browser supports, or 304 if the browser has it already. */
function sendPage(request: IncomingMessage, response: ServerResponse, { status, headers, bodies, etag }: StoredPage): void {
  // Ignores `Cache-Control: no-cache`, which fetch adds to every conditional request: the answer comes from the origin, whether it is 200 or 304.
  if (status === 200 && fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })) {
    const { 'Content-Type': _, Link: __, ...kept } = headers
    response.writeHead(304, kept)
    response.end()
    return
  }
  const accepted = new Negotiator(request).encodings([...encodings])
  const encoding = encodings.find((one) => accepted.includes(one) && bodies[one] !== null) ?? 'identity'
  const body = bodies[encoding] ?? bodies.identity
  response.writeHead(status, { ...headers, 'Content-Length': body.length, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Serves public pages from memory, so that a page is rendered once for all readers instead of once per request. */
export class PublicPageServer {
  /** Null in development, where every page is rendered for every request, so that changes show at once. */
  private readonly cache: PublicPageCache | null
  private readonly changes: ContentChanges
  private readonly limit: NetworkLimit | null
  private readonly isSecure: boolean
  private readonly host: string
  private readonly log: Log

  constructor(env: Env, service: Pick<Service, 'refresh' | 'contentVersion'>, dispatch: Dispatch, log: Log) {
    this.cache = env.isDevelopment ? null : openCache(env, service.contentVersion, dispatch, log)
    this.changes = new ContentChanges(service.refresh, log)
    const { pagesPerMinute } = env.listener
    this.limit = pagesPerMinute === null ? null : new NetworkLimit(pagesPerMinute * wastedShare)
    this.isSecure = env.publicUrl.startsWith('https:')
    this.host = new URL(env.publicUrl).host
    this.log = log
  }

  /** Serves a request. Calls `renderForReader` for everything that isn't a public page, and for pages that can't be shared between readers. */
  handle(request: IncomingMessage, response: ServerResponse, address: string | null, renderForReader: () => void): void {
    const found = findPublicPage(request)
    if (found === null) {
      if (request.method === 'POST') response.once('finish', () => this.changes.expect())
      renderForReader()
      return
    }
    this.markSession(request, response)
    const reader = { request, response, address, renderForReader }
    if (this.cache === null) renderForReader()
    else if (found !== 'uncacheable') this.serveShared(this.cache, found, reader)
    else if (this.admits(reader)) renderForReader()
  }

  private serveShared(cache: PublicPageCache, found: PageRequest, reader: Reader): void {
    const check = this.changes.check()
    const page = check === null ? cache.find(found) : null
    if (page) sendPage(reader.request, reader.response, page)
    else void this.findOrRender(cache, check, found, reader)
  }

  private async findOrRender(cache: PublicPageCache, check: Promise<unknown> | null, found: PageRequest, reader: Reader): Promise<void> {
    const { request, response, renderForReader } = reader
    try {
      await check
      const page = cache.find(found) ?? (await this.render(cache, found, reader))
      if (page) sendPage(request, response, page)
    } catch (error) {
      this.log.error({ err: error, page: found.url }, 'Failed to render a page for the cache. Rendering it for this request only.')
      if (!response.headersSent) renderForReader()
    }
  }

  /** Renders a page. Returns null if the request was rejected. */
  private async render(cache: PublicPageCache, found: PageRequest, reader: Reader): Promise<StoredPage | null> {
    if (!this.admits(reader)) return null
    const page = await cache.render(found)
    // Pages for other hosts are counted, because anyone can make up any number of hosts.
    if (page.status === 200 && found.host === this.host) this.limit?.refund(reader.request, reader.address)
    return page
  }

  /** Counts a rendering. Returns false if the request was rejected, because too many uncached pages have been rendered for its network. */
  private admits({ request, response, address }: Reader): boolean {
    return this.limit?.admitDirect(request, response, address) ?? true
  }

  /** Tells the page's script whether the browser has a session, with a cookie that the script can read. */
  private markSession({ headers: { cookie } }: IncomingMessage, response: ServerResponse): void {
    const hasSession = hasSessionCookie(cookie)
    if (hasSession !== hasSignedInMark(cookie)) response.setHeader('Set-Cookie', signedInCookie(hasSession, this.isSecure))
  }
}
