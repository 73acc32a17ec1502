import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe?: { run: (options: RunOptions) => Promise<AxeResults> }
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Injects axe only once per document, because parsing it takes as long as running it. Uses CDP, which is faster than `page.evaluate`. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Runtime.evaluate', { expression: source })
  await devtools.detach()
}

/** Returns one line per violation of an axe rule. Doesn't preload stylesheets, which no enabled rule needs, and checks no frames, as our pages have none. */
export async function axeFindings(page: Page): Promise<string[]> {
  await injectAxe(page)
  return page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe was not loaded into the page.')
    const { violations } = await window.axe.run({ resultTypes: ['violations'], preload: { assets: ['media'] } })
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))
  })
}
