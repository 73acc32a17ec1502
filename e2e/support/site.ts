import { createServer } from 'node:net'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { Stage } from '../../tests/v1/support/stage.ts'
import { launchBrowser } from './browser.ts'

type Theme = 'light' | 'dark'

/** Settings of the service beyond the site's own; they may depend on the address at which it will be. */
export type Settings = Record<string, string> | ((origin: string) => Promise<Record<string, string>>)

export type View = {
  /** Width of the window in pixels; 1280 unless given. */
  readonly width?: number
  readonly theme?: Theme
  readonly javaScriptEnabled?: boolean
  /** Where the browser is, by the IANA name of its time zone; where this machine is unless given. */
  readonly timeZone?: string
}

const heights = (width: number) => (width < 640 ? 844 : 900)

/** Runs in the page: complains when it stands without a title for a moment, after it had one. A screen reader would have nothing to say where it is. */
function watchTitle(): void {
  let had = false
  const look = () => {
    if (had && document.title === '') console.error('The page stands without a title.')
    had ||= document.title !== ''
  }
  // What the page itself does about it at once is nothing that anybody could see.
  new MutationObserver(() => setTimeout(look)).observe(document, { childList: true, subtree: true })
}

/** A port that nobody listens on. The service has to know its own address before it starts, because it stands in links and cookies. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port was given.'))))
    })
  })
}

/**
 * The whole service as an operator starts it, on a port and a database of its own, with a browser in front. What a page complains of, and whatever it
 * asks of another host, is written down: `faults` has to stay empty.
 */
export class Site {
  readonly stage = new Stage('lean')
  /** Errors of pages, and addresses on other hosts that were asked for. */
  readonly faults: string[] = []
  /** Origins besides its own where pages may lead: those of services that stand in for the outside. What their pages complain of is theirs. */
  readonly neighbours = new Set<string>()
  private opened: Browser | null = null
  private readonly contexts: BrowserContext[] = []

  async open(settings: Settings = {}): Promise<void> {
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    const more = typeof settings === 'function' ? await settings(origin) : settings
    const opening = this.stage.open({ ROLES: 'gateway,portal,worker', PORT: port, PUBLIC_URL: origin, ...more })
    ;[this.opened] = await Promise.all([launchBrowser(), opening])
  }

  async close(): Promise<void> {
    await Promise.all([this.opened?.close(), this.stage.close()])
  }

  get origin(): string {
    return this.stage.service.origin
  }

  /** A page of its own: no cookies, no storage of others. It is closed when the test ends. */
  async newPage({ width = 1280, theme = 'light', javaScriptEnabled = true, timeZone }: View = {}): Promise<Page> {
    if (this.opened === null) throw new Error('The site is not open yet: use it inside of a test.')
    const view = { viewport: { width, height: heights(width) }, colorScheme: theme, reducedMotion: 'reduce' } as const
    const context = await this.opened.newContext({
      baseURL: this.origin,
      javaScriptEnabled,
      locale: 'en-GB',
      ...view,
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    })
    this.contexts.push(context)
    await context.addInitScript(watchTitle)
    context.on('request', (request) => this.look(request))
    context.on('weberror', (fault) => this.note(fault.page()?.url(), fault.error().message))
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.note(message.page()?.url(), message.text())
    })
    return context.newPage()
  }

  /** What is asked of another host is noted; a neighbour may ask what it likes. The browser knows no host but this machine, so nothing is had from there. */
  private look(request: Request): void {
    const { origin, href, protocol } = new URL(request.url())
    if (origin === this.origin || !protocol.startsWith('http') || this.neighbours.has(origin)) return
    const asker = request.isNavigationRequest() ? '' : request.frame().url()
    if (!this.neighbours.has(URL.parse(asker)?.origin ?? '')) this.faults.push(`asked another host: ${href}`)
  }

  private note(address: string | undefined, message: string): void {
    if (!this.neighbours.has(URL.parse(address ?? '')?.origin ?? '')) this.faults.push(`${address}: ${message}`)
  }

  async closePages(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close()
  }
}

/** A site for the tests of a file. Call it once, at the top. After each test its pages are closed, and none may have complained. */
export function openSite(settings?: Settings): Site {
  // A journey waits for many pages, and other files want the same processors.
  vi.setConfig({ testTimeout: 60_000 })
  const site = new Site()
  beforeAll(() => site.open(settings))
  afterEach(async () => {
    await site.closePages()
    expect(site.faults.splice(0)).toEqual([])
  })
  afterAll(() => site.close())
  return site
}
