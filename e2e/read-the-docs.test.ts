import { describe, expect, test } from 'vitest'
import { siteDocuments } from '../server/publish/site/site-documents.ts'
import { expectAccessible, expectNarrow, keepScreenshot } from './support/check-page.ts'
import { openSite, type Theme } from './support/site.ts'

const site = openSite()

/** One page of each kind, in states that look different. */
const kinds: readonly string[] = [
  '/',
  '/docs',
  '/docs/webhooks',
  '/docs/errors/rate_limited',
  '/docs/prices',
  '/docs/search?q=webhook',
  '/docs/search?q=zebra',
  '/reference',
  '/reference/rates-list',
  '/reference/assistant',
  '/console',
  '/console?endpoint=rates-list&limit=2&send=1',
  '/changelog',
  '/changelog?kind=changed',
  '/licence/v2026-09',
  '/status',
  '/no-such-page',
]

/** Every colour is seen in both themes and every layout in both widths; the other two combinations would show nothing new. */
const views = [
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const satisfies readonly { width: number; theme: Theme }[]

const nameOf = (path: string) => path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'start'

describe.each(views)('at $width pixels, $theme', ({ width, theme }) => {
  test('one page of each kind: axe finds nothing, and nothing sticks out', async () => {
    const page = await site.newPage({ width, theme })
    for (const path of kinds) {
      // A page that does not exist is answered with 404, of which the browser complains; that complaint is expected.
      await page.goto(path, { waitUntil: 'load' })
      await keepScreenshot(page, `${nameOf(path)}-${width}-${theme}`)
      await expectNarrow(page)
      await expectAccessible(page)
    }
    expect(site.faults.splice(0).filter((fault) => !/no-such-page: Failed to load resource.*404/.test(fault))).toEqual([])
  }, 300_000)
})

test('axe finds nothing on any other page of the documentation', async () => {
  const pages = [await site.newPage(views[0]), await site.newPage(views[1])]
  const others = siteDocuments.filter(({ path }) => !kinds.includes(path))
  for (const [at, { path }] of others.entries()) {
    const page = pages[at % 2]
    await page?.goto(path, { waitUntil: 'load' })
    if (page) await expectAccessible(page)
  }
}, 600_000)

test('no page is wider than a screen of 320 pixels, without a script either', async () => {
  const page = await site.newPage({ width: 320, javaScriptEnabled: false })
  const paths = [...kinds.filter((path) => path !== '/no-such-page'), ...siteDocuments.map(({ path }) => path)]
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'load' })
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
    await expectNarrow(page)
  }
}, 120_000)
