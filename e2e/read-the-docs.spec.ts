import { expect, type Page } from '@playwright/test'
import { siteDocuments } from '#server/api/documents/site/site-documents.ts'
import { outboxLink } from '#server/self-service/outbox.ts'
import { authSecret } from '../tests/support/service-process.ts'
import { expectAccessible, expectNoHorizontalScroll, lookAt } from './support/look-at.ts'
import type { Portal } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

/** Default settings of a fresh clone: without SMTP, emails appear at /dev/mail. */
const test = portalTest({ NODE_ENV: '', SMTP_URL: '', MAIL_FROM: '' })

type Look = readonly [path: string, state: string]
const looks = (...paths: readonly (string | Look)[]): readonly Look[] => paths.map((path) => (typeof path === 'string' ? [path, ''] : path))

/** One page of each kind, in every state that changes its appearance. */
const kinds: Readonly<Record<string, readonly Look[]>> = {
  '/': looks('/'),
  '/docs': looks('/docs'),
  '/docs/[...slug]': looks('/docs/webhooks'),
  '/docs/errors/[code]': looks('/docs/errors/rate_limited'),
  '/docs/prices': looks('/docs/prices'),
  '/docs/search': looks(['/docs/search?q=webhook', 'found'], ['/docs/search?q=zebra', 'nothing']),
  '/reference': looks('/reference'),
  '/reference/[operation]': looks('/reference/rates-list', ['/console?endpoint=rates-list&limit=2&send=1', 'answered'], ['/reference/assistant', 'coming']),
  '/changelog': looks('/changelog', ['/changelog?kind=changed', 'filtered']),
  '/licence': looks('/licence'),
  '/licence/[version]': looks('/licence/v2026-09'),
  '/terms': looks('/terms'),
  '/help': looks('/help'),
  '/privacy': looks('/privacy'),
  '/status': looks('/status'),
  '/products/[sourceKey]': looks('/products/brindlequay-cash-isa-84f2'),
  '/providers/[slug]': looks('/providers/brindlequay'),
  '/dev/mail': looks(outboxLink('', authSecret)),
}

/** Paths of pages that don't exist. */
const missingPaths = ['/no-such-page', '/products/no-such-product', '/providers/no-such-provider']

/** Signs up a user, so that /dev/mail has an email to show. */
async function sendEmail(portal: Portal): Promise<void> {
  expect((await portal.signUp(portal.visitor(), 'reader@example.test')).path).toBe('/sign-up/check-email')
}

/** Loads a page with JavaScript disabled, then enables it again for axe. */
async function openPlain(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto(path, { waitUntil: 'load' })
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: false })
  await devtools.detach()
}

test('every kind of page is accessible and fits the screen', async ({ page, portal }) => {
  test.setTimeout(240_000)
  await sendEmail(portal)
  for (const [route, ways] of Object.entries(kinds)) {
    for (const [path, state] of ways) {
      await page.goto(path, { waitUntil: 'load' })
      await lookAt(page, route, state)
    }
  }
})

test('shows a 404 page for unknown paths', async ({ page, pageErrors }) => {
  // The browser logs an error for each 404 response.
  pageErrors.expect(/no-such-[a-z]+: Failed to load resource.*404/)
  for (const path of missingPaths) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expect(page).toHaveTitle('Page not found – Savings Rates Data API')
  }
  await lookAt(page, '/not-found')
})

test('every page fits a 320-pixel screen without JavaScript, and pages not covered by the previous test are accessible', async ({ page }) => {
  const looked = Object.values(kinds).flatMap((ways) => ways.map(([path]) => path))
  const paths = [...new Set([...looked, ...siteDocuments.map(({ path }) => path)])]
  // A page takes about a second on an idle machine; allow five.
  test.setTimeout(paths.length * 5_000)
  await page.setViewportSize({ width: 320, height: 844 })
  for (const [at, path] of paths.entries()) {
    await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'light' : 'dark' })
    await openPlain(page, path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
    await expectNoHorizontalScroll(page)
    if (!looked.includes(path)) await expectAccessible(page)
  }
})
