import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { freePort } from '../../tests/support/service-process.ts'
import { Fixture } from '../../tests/v1/support/fixture.ts'
import { launchBrowser } from './browser.ts'

type Theme = 'light' | 'dark'

/** Additional settings of the service; may depend on its address. */
export type Settings = Record<string, string> | ((origin: string) => Promise<Record<string, string>>)

export type View = {
  /** Width of the window in pixels; defaults to 1280. */
  readonly width?: number
  readonly theme?: Theme
  readonly javaScriptEnabled?: boolean
  /** IANA time zone of the browser; defaults to this machine's. */
  readonly timeZone?: string
}

const heights = (width: number) => (width < 640 ? 844 : 900)

/** Runs in the page: reports an error if the title is ever missing, as screen readers then can't announce the page. */
function observeTitle(): void {
  let hadTitle = false
  const checkTitle = () => {
    if (hadTitle && document.title === '') reportError(new Error('The page has no title.'))
    hadTitle ||= document.title !== ''
  }
  // The check is deferred, because no user can notice if the page restores the title in the same task.
  new MutationObserver(() => setTimeout(checkTitle)).observe(document, { childList: true, subtree: true })
}

/**
 * The whole service as an operator starts it, with its own port and database, and a browser. Page errors and requests to other hosts are collected in `faults`,
 * which must stay empty.
 */
export class Site {
  readonly fixture = new Fixture('lean')
  /** Page errors, and requested URLs on other hosts. */
  readonly faults: string[] = []
  /** Other origins that pages may lead to: services that simulate third parties. Their errors are ignored. */
  readonly adjacent = new Set<string>()
  private opened: Browser | null = null
  private readonly contexts: BrowserContext[] = []

  async open(settings: Settings = {}): Promise<void> {
    // The service must know its address before it starts, as links and cookies contain it.
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    const more = typeof settings === 'function' ? await settings(origin) : settings
    const opening = this.fixture.open({ ROLES: 'gateway,portal,worker', PORT: port, PUBLIC_URL: origin, ...more })
    ;[this.opened] = await Promise.all([launchBrowser(), opening])
  }

  async close(): Promise<void> {
    await Promise.all([this.opened?.close(), this.fixture.close()])
  }

  get origin(): string {
    return this.fixture.service.origin
  }

  /** Opens a page with separate cookies and storage, and closes it when the test ends. */
  async newPage({ width = 1280, theme = 'light', javaScriptEnabled = true, timeZone }: View = {}): Promise<Page> {
    if (this.opened === null) throw new Error('The site is not open yet. Use it inside a test.')
    const view = { viewport: { width, height: heights(width) }, colorScheme: theme, reducedMotion: 'reduce' } as const
    const context = await this.opened.newContext({
      baseURL: this.origin,
      javaScriptEnabled,
      locale: 'en-GB',
      ...view,
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    })
    this.contexts.push(context)
    await context.addInitScript(observeTitle)
    context.on('request', (request) => this.checkRequest(request))
    context.on('weberror', (fault) => this.addFault(fault.page()?.url(), fault.error().message))
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.addFault(message.page()?.url(), message.text())
    })
    return context.newPage()
  }

  /** Records requests to other hosts, unless a page of an adjacent origin sent them. They fail anyway, as the browser can only reach this machine. */
  private checkRequest(request: Request): void {
    const { origin, href, protocol } = new URL(request.url())
    if (origin === this.origin || !protocol.startsWith('http') || this.adjacent.has(origin)) return
    const initiator = request.isNavigationRequest() ? '' : request.frame().url()
    if (!this.adjacent.has(URL.parse(initiator)?.origin ?? '')) this.faults.push(`requested another host: ${href}`)
  }

  private addFault(address: string | undefined, message: string): void {
    if (!this.adjacent.has(URL.parse(address ?? '')?.origin ?? '')) this.faults.push(`${address}: ${message}`)
  }

  async closePages(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close()
  }
}

/** Opens a site for the tests of a file; call it once at the top level. After each test it closes the pages and expects no errors. */
export function openSite(settings?: Settings): Site {
  // Tests load many pages, and other test files run on the same CPUs.
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
