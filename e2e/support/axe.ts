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

/** To read the source takes a page as long as to be looked at, so each document reads it once, and it goes there without the detour of `page.evaluate`. */
async function bring(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Runtime.evaluate', { expression: source })
  await devtools.detach()
}

/** What axe finds on the page as it stands, by all of its rules, a line each. Our pages have no frames, and no rule that is on wants their styles read ahead. */
export async function axeFindings(page: Page): Promise<string[]> {
  await bring(page)
  return page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe did not come to the page.')
    const { violations } = await window.axe.run({ resultTypes: ['violations'], preload: { assets: ['media'] } })
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))
  })
}
