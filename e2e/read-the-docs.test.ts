import { expect, test } from 'vitest'
import { siteDocuments } from '#server/api/documents/site/site-documents.ts'
import { outboxLink } from '#server/auth/outbox.ts'
import { goodPassword } from '../tests/portal/support/portal-fixture.ts'
import { Visitor } from '../tests/portal/support/visitor.ts'
import { authSecret } from '../tests/support/service-process.ts'
import { expectAccessible, expectNoHorizontalScroll } from './support/check-page.ts'
import { lookAt } from './support/look-at.ts'
import { openPlain } from './support/open-plain.ts'
import { openSite } from './support/site.ts'

/** Default settings of a fresh clone: without SMTP, emails appear at /dev/mail. */
const site = openSite({ NODE_ENV: '' })

type Look = readonly [path: string, state: string]
const looks = (...paths: readonly (string | Look)[]): readonly Look[] => paths.map((path) => (typeof path === 'string' ? [path, ''] : path))

/** One page of each kind, in each state that looks different. */
const kinds: Readonly<Record<string, readonly Look[]>> = {
  '/': looks('/'),
  '/docs': looks('/docs'),
  '/docs/[...slug]': looks('/docs/webhooks'),
  '/docs/errors/[code]': looks('/docs/errors/rate_limited'),
  '/docs/prices': looks('/docs/prices'),
  '/docs/search': looks(['/docs/search?q=webhook', 'found'], ['/docs/search?q=zebra', 'nothing']),
  '/reference': looks('/reference'),
  '/reference/[operation]': looks('/reference/rates-list', ['/reference/assistant', 'coming']),
  '/console': looks('/console', ['/console?endpoint=rates-list&limit=2&send=1', 'answered']),
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

/** Signs up, so that there is an email to show. */
async function sendEmail(): Promise<void> {
  const visitor = new Visitor(site.origin)
  const fields = { email: 'reader@example.test', password: goodPassword, licence: 'yes' }
  expect((await visitor.submitForm(await visitor.open('/sign-up'), 'Create account', fields)).path).toBe('/sign-up/check-email')
}

test('every kind of page is accessible and fits the screen', async () => {
  await sendEmail()
  const page = await site.newPage()
  for (const [route, ways] of Object.entries(kinds)) {
    for (const [path, state] of ways) {
      await page.goto(path, { waitUntil: 'load' })
      await lookAt(page, route, state)
    }
  }
}, 240_000)

test('shows a 404 page for unknown paths', async () => {
  const page = await site.newPage()
  for (const path of missingPaths) {
    expect((await page.goto(path))?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    expect(await page.title()).toBe('Page not found – Savings Rates API')
  }
  await lookAt(page, '/not-found')
  // The browser logs an error for the 404 response, which is expected.
  expect(site.faults.splice(0).filter((fault) => !/no-such-[a-z]+: Failed to load resource.*404/.test(fault))).toEqual([])
})

test('every page fits a 320-pixel screen without JavaScript, and the remaining pages are accessible', async () => {
  const page = await site.newPage({ width: 320 })
  const looked = Object.values(kinds).flatMap((ways) => ways.map(([path]) => path))
  const paths = [...looked, ...siteDocuments.map(({ path }) => path)]
  for (const [at, path] of [...new Set(paths)].entries()) {
    await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'light' : 'dark' })
    await openPlain(page, path)
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
    await expectNoHorizontalScroll(page)
    if (!looked.includes(path)) await expectAccessible(page)
  }
}, 240_000)
