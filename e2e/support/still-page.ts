import type { Page } from 'playwright-core'

const longMonths = 'January|February|March|April|May|June|July|August|September|October|November|December'
const shortMonths = 'Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec'

/** Words that are others on another day, in another minute or in another run, as patterns, each with the words of its kind that stand in for them. */
const passing: readonly (readonly [pattern: string, words: string])[] = [
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
  ['just now|\\b\\d+ (?:second|minute|hour|day)s? ago', '4 minutes ago'],
]

/** All that React draws has been taken over by it, which is when the page answers to a press. */
const isTakenOver = () =>
  [...document.querySelectorAll('main, button, select, input:not([type=hidden])')].every((one) =>
    Object.keys(one).some((key) => key.startsWith('__reactFiber')),
  )

/**
 * Every font that the page brings is in use, also one that readers have only from their second page on, and its scripts have nothing more to do. What a font
 * is measured by while it comes is the machine's own, and may not be there.
 */
async function rest(): Promise<void> {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  for (const rule of rules) if (rule instanceof CSSFontFaceRule) rule.style.setProperty('font-display', 'block')
  await Promise.allSettled([...document.fonts].map((font) => font.load()))
  await document.fonts.ready
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => requestIdleCallback(resolve))
}

/** From here on nothing moves: no timer ends, and what is asked for never comes. Scripts stay on, because a page without them looks otherwise. */
function stop(): void {
  window.fetch = () => new Promise(() => {})
  // Their numbers are given in order, to intervals too.
  for (let timer = Number(setTimeout(() => {})); timer > 0; timer--) clearTimeout(timer)
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** Puts the words in place that stay, and gives the times that none of the patterns knew. */
function settle(rules: typeof passing): string[] {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const text = node.nodeValue ?? ''
    const settled = rules.reduce((words, [pattern, instead]) => words.replace(new RegExp(pattern, 'g'), instead), text)
    if (settled !== text) node.nodeValue = settled
  }
  const left = (text: string) => rules.reduce((words, [, instead]) => words.replaceAll(instead, ''), text)
  return [...document.querySelectorAll('time')].map(({ textContent }) => textContent).filter((text) => /\d|ago/.test(left(text)))
}

/** Loads a page and makes it stand still: what it looks like depends on the page alone, and no longer on the day, the hour, the run or the machine's haste. */
export async function openStill(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.waitForFunction(isTakenOver)
  await page.evaluate(rest)
  await page.evaluate(stop)
  const unknown = await page.evaluate(settle, passing)
  if (unknown.length > 0) throw new Error(`${path} tells times in a way that e2e/support/still-page.ts does not know: ${unknown.join('; ')}`)
}
