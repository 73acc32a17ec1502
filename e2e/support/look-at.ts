import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page, test } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { isPageOf } from './app-routes.ts'

/** Views that cover both themes and both layouts, plus other widths at which no page may scroll horizontally. */
const views = [
  { width: 1280, height: 900, colorScheme: 'light', narrower: [1024, 640] },
  { width: 390, height: 844, colorScheme: 'dark', narrower: [320] },
] as const

async function setView(page: Page, { width, height, colorScheme }: (typeof views)[number]): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}

declare global {
  interface Window {
    axe?: { run: (options: RunOptions) => Promise<AxeResults> }
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Injects axe only once per document, because parsing it takes as long as running it. Uses CDP, which is faster than `page.evaluate`. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Runtime.evaluate', { expression: axeSource })
  await devtools.detach()
}

/** Asserts that there are no accessibility violations. Skips preloading stylesheets, which no enabled rule needs, and frames, which our pages don't have. */
export async function expectAccessible(page: Page): Promise<void> {
  await injectAxe(page)
  const findings = await page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe was not loaded into the page.')
    const { violations } = await window.axe.run({ resultTypes: ['violations'], preload: { assets: ['media'] } })
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))
  })
  expect(findings, page.url()).toEqual([])
}

/** Asserts that the page itself does not scroll horizontally. Elements in it may. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  // An open menu follows its button a moment after the window has become narrower.
  const getExcess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(getExcess, { message: `${page.url()} is too wide by so many pixels`, timeout: 5_000 }).toBeLessThanOrEqual(0)
}

/** Asserts that the page belongs to `route`, because `tests/pages/every-page-looked-at.test.ts` relies on this. */
async function expectRoute(page: Page, route: string): Promise<void> {
  const heading = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
  const { pathname } = new URL(page.url())
  expect(isPageOf(route, pathname, heading), `${pathname} with the heading "${heading}" is a page of ${route}`).toBe(true)
}

/**
 * Checks a page in its current state: no accessibility violations in either theme, and no horizontal scrolling at 1,280, 1,024 (first width with a sidebar),
 * 640 (first width at 200% zoom), 390 and 320 pixels. Restores the view. `route` is the route of its file under app/, `state` distinguishes its states.
 */
export const lookAt = (page: Page, route: string, state = ''): Promise<void> =>
  test.step(`check layout and accessibility: ${route} ${state}`, async () => {
    await expectRoute(page, route)
    for (const view of views) {
      await setView(page, view)
      await expectNoHorizontalScroll(page)
      await expectAccessible(page)
      for (const width of view.narrower) {
        await page.setViewportSize({ width, height: 450 })
        await expectNoHorizontalScroll(page)
      }
    }
    await setView(page, views[0])
  })
