import { LRUCache } from 'lru-cache'
import type { Log } from '#server/observability/log.ts'
import type { PageRequest } from './public-pages.ts'
import type { RenderedPage } from './render-page.ts'
import { type StoredPage, type StoreSettings, toStoredPage } from './stored-page.ts'

/** After this time, the next request gets the stored page and starts a refresh. */
const freshMs = 10_000
/** Maximum age of a stored page that is sent. */
const maxAgeMs = 60_000
const maxBytes = 64 * 1_024 * 1_024
/** Maximum number of refreshes at the same time. A page whose refresh has to wait is sent as it is, up to its maximum age. */
const maxRefreshes = 4

type Entry = { readonly page: StoredPage; readonly version: string; readonly renderedAt: number; refreshAt: number }

type Rendering = { readonly version: string; readonly page: Promise<StoredPage> }

export type PublicPageCacheDeps = {
  readonly render: (request: PageRequest) => Promise<RenderedPage>
  /** Version of the content. Pages of any other version are not sent. */
  readonly version: () => string
  readonly settings: StoreSettings
  readonly log: Log
  readonly now?: () => number
  readonly maxBytes?: number
}

/** Pages in memory. The least recently used ones are dropped when the total exceeds 64 MB. */
export class PublicPageCache {
  private readonly deps: PublicPageCacheDeps
  private readonly entries: LRUCache<string, Entry>
  private readonly rendering = new Map<string, Rendering>()
  private readonly now: () => number
  private refreshes = 0

  constructor(deps: PublicPageCacheDeps) {
    this.deps = deps
    this.now = deps.now ?? (() => performance.now())
    this.entries = new LRUCache({ maxSize: deps.maxBytes ?? maxBytes, sizeCalculation: ({ page }) => page.bytes })
  }

  /** Returns a page that may be sent now, and refreshes it in the background if it is older than 10 seconds. Returns null if it has to be rendered. */
  find(request: PageRequest): StoredPage | null {
    const entry = this.entries.get(request.key)
    const now = this.now()
    if (entry === undefined || entry.version !== this.deps.version() || now - entry.renderedAt > maxAgeMs) return null
    if (now >= entry.refreshAt && this.refreshes < maxRefreshes) this.refresh(request, entry, now)
    return entry.page
  }

  private refresh(request: PageRequest, entry: Entry, now: number): void {
    // After a failure, the page is refreshed again 10 seconds later.
    entry.refreshAt = now + freshMs
    this.refreshes++
    this.render(request)
      .catch((error: unknown) => this.deps.log.error({ err: error, page: request.url }, 'Failed to refresh a page in the cache.'))
      .finally(() => {
        this.refreshes--
      })
  }

  /** Renders a page. Requests for the same page share one rendering, unless the content has changed since it began. */
  render(request: PageRequest): Promise<StoredPage> {
    const version = this.deps.version()
    const running = this.rendering.get(request.key)
    if (running?.version === version) return running.page
    const rendering = { version, page: this.renderAndStore(request, version) }
    this.rendering.set(request.key, rendering)
    const end = () => {
      if (this.rendering.get(request.key) === rendering) this.rendering.delete(request.key)
    }
    rendering.page.then(end, end)
    return rendering.page
  }

  private async renderAndStore(request: PageRequest, version: string): Promise<StoredPage> {
    // The page is as old as the data that it was rendered from, which is read after this moment.
    const renderedAt = this.now()
    const rendered = await this.deps.render(request)
    const { status, headers } = rendered
    // A missing page is sent but not stored. Anything else is rendered for each request separately, because it may be about the reader.
    if ((status !== 200 && status !== 404) || headers['set-cookie'] !== undefined) throw new Error(`Rendering returned status ${status} or set a cookie.`)
    const page = await toStoredPage(rendered, request.isThemed, this.deps.settings, this.entries.peek(request.key)?.page)
    if (status === 404) this.entries.delete(request.key)
    else if (version === this.deps.version()) this.entries.set(request.key, { page, version, renderedAt, refreshAt: renderedAt + freshMs })
    return page
  }
}
