import { type BrowserContext, type ConsoleMessage, expect, type Request } from '@playwright/test'

/** Runs in the page. Reports an error whenever the title is missing, because screen readers then can't announce the page. */
function observeTitle(): void {
  let hadTitle = false
  const checkTitle = () => {
    if (hadTitle && document.title === '') reportError(new Error('The page has no title.'))
    hadTitle ||= document.title !== ''
  }
  // The check is deferred, because no user can notice if the page restores the title in the same task.
  new MutationObserver(() => setTimeout(checkTitle)).observe(document, { childList: true, subtree: true })
}

/** Returns true for the line that the browser logs if a procedure rejects its input. Forms show such errors themselves. */
const isRefusal = (message: ConsoleMessage): boolean =>
  URL.parse(message.location().url)?.pathname.startsWith('/api/trpc/') === true && /status of (?:400|403|429)/.test(message.text())

/** Collects page errors and requests to other hosts during a test. The test fails if there are any. */
export class PageErrors {
  /** Origins of simulated third parties that pages may navigate to. Errors on their pages are ignored. */
  readonly otherOrigins = new Set<string>()
  private readonly origin: string
  private readonly found: string[] = []
  private expected: RegExp | null = null

  constructor(origin: string) {
    this.origin = origin
  }

  async observe(context: BrowserContext): Promise<void> {
    await context.addInitScript(observeTitle)
    context.on('request', (request) => this.checkRequest(request))
    context.on('weberror', (error) => this.add(error.page()?.url(), error.error().message))
    context.on('console', (message) => {
      const isFailure = message.type() === 'error' || message.type() === 'warning'
      if (isFailure && !isRefusal(message)) this.add(message.page()?.url(), message.text())
    })
  }

  /**
   * Records requests to other hosts, except those to or from an origin in `otherOrigins`. The recorded requests fail anyway, because the browser can reach only
   * this machine.
   */
  private checkRequest(request: Request): void {
    const { origin, href, protocol } = new URL(request.url())
    if (origin === this.origin || !protocol.startsWith('http') || this.otherOrigins.has(origin)) return
    const initiator = request.isNavigationRequest() ? undefined : request.frame().url()
    this.add(initiator, `requested another host: ${href}`)
  }

  private add(address: string | undefined, message: string): void {
    if (!this.otherOrigins.has(URL.parse(address ?? '')?.origin ?? '')) this.found.push(`${address}: ${message}`)
  }

  /** Ignores errors that the test causes on purpose. */
  expect(pattern: RegExp): void {
    this.expected = pattern
  }

  check(): void {
    expect(this.found.filter((error) => !this.expected?.test(error))).toEqual([])
  }
}
