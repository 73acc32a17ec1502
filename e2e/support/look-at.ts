import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isPageOf } from './app-routes.ts'
import { expectAccessible, expectNarrow, keepScreenshot } from './check-page.ts'

/** Every colour is seen in both themes and every layout in both widths. */
const views = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

/** The other two, which show nothing to a check that these two do not; a picture of them is another matter. */
const moreViews = [
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const

type Look = (typeof views)[number] | (typeof moreViews)[number]

async function setView(page: Page, { width, height, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}

/** The page is the one that it is said to be, since `tests/pages/every-page-looked-at.test.ts` counts on that. */
async function expectRoute(page: Page, route: string): Promise<void> {
  const heading = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
  const { pathname } = new URL(page.url())
  expect([route, pathname, heading, isPageOf(route, pathname, heading)]).toEqual([route, pathname, heading, true])
}

/**
 * Looks at a page as it stands, whatever was done to come here: axe finds nothing in either theme, and nothing sticks out on a screen of 1,280, 1,024 (where
 * the sidebar begins), 640 (which is the first at 200 % zoom), 390 and 320 pixels. Leaves it as it was. `route` is that of its file under app/, `state` tells its looks apart.
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
    await expectNarrow(page)
    await expectAccessible(page)
    for (const width of narrower) {
      await page.setViewportSize({ width, height: 450 })
      await expectNarrow(page)
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
