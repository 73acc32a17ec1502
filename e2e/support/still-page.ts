import type { Page } from '@playwright/test'

const longMonths = 'January|February|March|April|May|June|July|August|September|October|November|December'
const shortMonths = 'Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec'

/** Patterns for text that varies by day, minute or run, each with a fixed replacement. */
const volatile: readonly (readonly [pattern: string, replacement: string])[] = [
  ['http://127\\.0\\.0\\.1:\\d+', 'https://api.example.test'],
  ['(?<=\\b[a-z]{2,4}_)[0-9a-zA-Z]{16,}', '019aa4b2c7d87f3e9a51d0c6b2f4e8d7'],
  ['(?<=svc_(?:live|test)_…)\\w{4}', '7Qx2'],
  ['\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z', '2026-11-12T09:41:12.000Z'],
  ['\\d{4}-\\d\\d-\\d\\d(?!T)', '2026-11-12'],
  [`\\b\\d{1,2} (?:${longMonths}) \\d{4}`, '12 November 2026'],
  [`(?<!\\d )(?:${longMonths}) \\d{4}`, 'November 2026'],
  [`\\b\\d{1,2} (?:${shortMonths})\\b`, '12 Nov'],
  ['(?<![\\w:.])\\d\\d:\\d\\d:\\d\\d', '09:41:12'],
  ['(?<![\\w:.])\\d\\d:\\d\\d(?!:)', '09:41'],
  ['<1 ms|\\b[\\d,]+ ms\\b|\\b\\d+\\.\\d s\\b', '12 ms'],
  // Rate changes of the demonstration market so far.
  ['\\b13,\\d{3}\\b', '13,500'],
  ['just now|\\b\\d+ (?:second|minute|hour|day)s? ago', '4 minutes ago'],
]

/** Returns true once React has hydrated the page, so that it responds to clicks. */
const isHydrated = () =>
  [...document.querySelectorAll('main, button, select, input:not([type=hidden])')].every((one) =>
    Object.keys(one).some((key) => key.startsWith('__reactFiber')),
  )

/**
 * Waits until all fonts are loaded, including those with `font-display: optional`, and scripts are idle. Local fallback fonts may be missing, so failures are
 * ignored.
 */
async function waitUntilIdle(): Promise<void> {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  for (const rule of rules) if (rule instanceof CSSFontFaceRule) rule.style.setProperty('font-display', 'block')
  await Promise.allSettled([...document.fonts].map((font) => font.load()))
  await document.fonts.ready
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => requestIdleCallback(resolve))
}

/** Freezes the page by clearing all timers and blocking requests. Scripts stay enabled, because pages render differently without them. */
function freeze(): void {
  window.fetch = () => new Promise(() => {})
  // Timeouts and intervals share one sequence of ids, so this clears both.
  for (let timer = Number(setTimeout(() => {})); timer > 0; timer--) clearTimeout(timer)
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  // The durations of today's calls, and with them the scale, depend on the machine. The start page's chart ends today.
  for (const chart of document.querySelectorAll('[aria-labelledby=latency] > :not(:has(#latency)), #example-history figure'))
    chart.setAttribute('style', 'visibility: hidden')
}

/** Replaces text that varies between runs. Returns the displayed times that none of the patterns covers. */
function replaceVolatile(rules: typeof volatile): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    const replaced = rules.reduce((result, [pattern, replacement]) => result.replace(new RegExp(pattern, 'g'), replacement), text)
    if (replaced !== text) node.nodeValue = replaced
  }
  const rest = (text: string) => rules.reduce((result, [, replacement]) => result.replaceAll(replacement, ''), text)
  return [...document.querySelectorAll('time')].map(({ textContent }) => textContent).filter((text) => /\d|ago/.test(rest(text)))
}

/** Loads a page and freezes it, so that its appearance does not depend on the date, time, run or machine. */
export async function openStill(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.waitForFunction(isHydrated)
  await page.evaluate(waitUntilIdle)
  await page.evaluate(freeze)
  const unknown = await page.evaluate(replaceVolatile, volatile)
  if (unknown.length > 0) throw new Error(`${path} shows times that no pattern in e2e/support/still-page.ts matches: ${unknown.join('; ')}`)
}
