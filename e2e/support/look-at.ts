import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isPageOf } from './app-routes.ts'
import { expectAccessible, expectNoHorizontalScroll, keepScreenshot } from './check-page.ts'

/** Views that cover both themes and both layouts. */
const views = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

/** Remaining combinations, for screenshots only: they can't reveal further violations. */
const moreViews = [
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const

type Look = (typeof views)[number] | (typeof moreViews)[number]

async function setView(page: Page, { width, height, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}

/** Expects that the page belongs to `route`, because `tests/pages/every-page-looked-at.test.ts` relies on it. */
async function expectRoute(page: Page, route: string): Promise<void> {
  const heading = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
  const { pathname } = new URL(page.url())
  expect([route, pathname, heading, isPageOf(route, pathname, heading)]).toEqual([route, pathname, heading, true])
}

/**
 * Checks a page in its current state: no accessibility violations in either theme, and no horizontal scrolling at 1,280, 1,024 (first width with a sidebar),
 * 640 (first width at 200% zoom), 390 and 320 pixels. Restores the view. `route` is the route of its file under app/, `state` distinguishes its states.
 */
export async function lookAt(page: Page, route: string, state = ''): Promise<void> {
  await expectRoute(page, route)
  const name = `${route} ${state}`.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'start'
  for (const [view, ...narrower] of [
    [views[0], 1024, 640],
    [views[1], 320],
  ] as const) {
    await setView(page, view)
    await keepScreenshot(page, `${name}-${view.width}-${view.colorScheme}`)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    for (const width of narrower) {
      await page.setViewportSize({ width, height: 450 })
      await expectNoHorizontalScroll(page)
    }
  }
  if (process.env['E2E_SCREENSHOTS']) {
    for (const view of moreViews) {
      await setView(page, view)
      await keepScreenshot(page, `${name}-${view.width}-${view.colorScheme}`)
    }
  }
  await setView(page, views[0])
}
