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

/** To read the source takes a page longer than to be looked at, so it is read once by each document. */
async function bring(page: Page): Promise<void> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source)
}

/** What axe finds on the page as it stands, by all of its rules, a line each. Our pages have no frames. */
export async function axeFindings(page: Page): Promise<string[]> {
  await bring(page)
  return page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe did not come to the page.')
    const { violations } = await window.axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))
  })
}
