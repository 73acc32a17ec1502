import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { siteDocuments } from '../server/publish/site/site-documents.ts'
import { expectAccessible, expectNarrow } from './support/check-page.ts'
import { lookAt } from './support/look-at.ts'
import { openSite } from './support/site.ts'

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
  '/products/brindlequay-cash-isa-84f2',
  '/providers/brindlequay',
  '/no-such-page',
]

const nameOf = (path: string) => path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'start'

test('one page of each kind: axe finds nothing, and nothing sticks out', async () => {
  const page = await site.newPage()
  for (const path of kinds) {
    // A page that does not exist is answered with 404, of which the browser complains; that complaint is expected.
    await page.goto(path, { waitUntil: 'load' })
    await lookAt(page, nameOf(path))
  }
  expect(site.faults.splice(0).filter((fault) => !/no-such-page: Failed to load resource.*404/.test(fault))).toEqual([])
}, 240_000)

/** Loads a page as a browser without scripts does. They are allowed again afterwards, because axe is one. */
async function openPlain(devtools: CDPSession, page: Page, path: string): Promise<void> {
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto(path, { waitUntil: 'load' })
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: false })
}

test('without a script and on a screen of 320 pixels no page is too wide, and axe finds nothing on any other page', async () => {
  const page = await site.newPage({ width: 320 })
  const devtools = await page.context().newCDPSession(page)
  const paths = [...kinds.filter((path) => path !== '/no-such-page'), ...siteDocuments.map(({ path }) => path)]
  for (const [at, path] of [...new Set(paths)].entries()) {
    await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'light' : 'dark' })
    await openPlain(devtools, page, path)
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
    await expectNarrow(page)
    if (!kinds.includes(path)) await expectAccessible(page)
  }
}, 240_000)
