import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { ndjson, product } from '../tests/market/feeds.ts'
import { lookAt } from './support/look-at.ts'
import { PortalSite } from './support/portal-site.ts'

/** Whoever supplies the feed. What it says may change; nothing: it cannot be had. */
let feed: string | null = null
let supplier: Server | undefined

async function openSupplier(): Promise<string> {
  const server = createServer((_request, response) => {
    if (feed === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(feed)
  })
  supplier = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/products.ndjson`
}

const portal = new PortalSite(async () => ({ NODE_ENV: '', MARKET_SOURCES: `feed-product=${await openSupplier()}` }))
const { site } = portal
afterAll(() => supplier?.close())

const patience = { timeout: 15_000, interval: 100 } as const

const why = (page: Page, form: string) => page.getByRole('region', { name: form, exact: true }).getByLabel('Why')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Looks at a page again and again until it says something. */
const says = (page: Page, words: string) =>
  expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('main').textContent()
    }, patience)
    .toContain(words)

test('did this morning’s data arrive? A feed that was held back is looked at and published, and a wrong rate is put right', async () => {
  const [{ page }, caller] = [await portal.administrator(), await portal.member({ credits: 500 })]
  const { key } = await portal.liveKey(caller)
  const [standing] = await site.stage.sql<{ key: string; slug: string }>(
    `SELECT p.source_key AS key, p.provider_slug AS slug FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     WHERE p.dataset = 'live' AND p.withdrawn_at IS NULL AND v.active AND p.account_type = 'easy-access' AND p.rate_bp <> 460 ORDER BY 1 LIMIT 1`,
  )
  const { key: known, slug } = standing ?? expect.unreachable('There is no product.')
  const rateOf = async (sourceKey: string) => {
    const { status, body } = await portal.call(key, `/rates/${sourceKey}`)
    return status === 200 ? (body['data'] as { rate: string }).rate : status
  }

  // The supplier could not be reached this morning.
  await page.goto('/admin/imports')
  await says(page, 'Not all of it. Of 1 source 0 arrived')
  await lookAt(page, '/admin/imports', 'failed')
  await page.getByRole('link', { name: 'Operator feed, product' }).click()
  await heading(page, 'Operator feed, product').waitFor()
  await lookAt(page, '/admin/imports/[id]', 'failed')

  // It can be by now, with a faulty feed.
  feed = ndjson(product(known, { providerSlug: slug, rate: '4,60' }))
  await press(page, 'Fetch now')
  await page.getByText('Say why. It stands in the audit log.').first().waitFor()
  await why(page, 'Fetch now').fill('The supplier has called.')
  await press(page, 'Fetch now')
  await says(page, 'rate must be a percentage')
  await lookAt(page, '/admin/imports/[id]', 'rejected')

  // Then with one that would withdraw almost everything, which is right this time.
  const terms = { providerSlug: slug, rate: '4.60', baseRate: '4.60', boostRate: null, boostDuration: null }
  feed = ndjson(product(known, terms), product('desk-journey', { ...terms, rate: '6.40', baseRate: '6.40' }))
  await why(page, 'Fetch now').fill('It was mended.')
  await press(page, 'Fetch now')
  await says(page, 'This feed was held back')
  expect(await rateOf('desk-journey')).toBe(404)
  await heading(page, 'Biggest moves of rates').waitFor()
  await lookAt(page, '/admin/imports/[id]', 'held')
  await why(page, 'Publish').fill('The supplier left the others on purpose.')
  await press(page, 'Publish 2 rows')
  await page.getByText('This feed was held back').waitFor({ state: 'detached' })
  expect([await rateOf('desk-journey'), await rateOf(known)]).toEqual(['6.40', '4.60'])
  await page.goto('/admin/imports')
  await page.getByText('Yes. The one source has arrived').waitFor()

  // One of the two rates is wrong.
  await page.goto('/admin/products')
  await page.getByLabel('Key, name, provider or type').fill('desk-journey')
  await press(page, 'Find products')
  await page.waitForURL(/q=desk-journey/)
  await lookAt(page, '/admin/products', 'found')
  await page.getByRole('link', { name: 'Easy Access Saver desk-journey' }).click()
  await heading(page, 'Easy Access Saver').waitFor()
  await lookAt(page, '/admin/products/[sourceKey]', 'listed')
  await page.getByLabel('Rate', { exact: true }).fill('4.60')
  await press(page, 'See what changes')
  await heading(page, 'Correct this product').waitFor()
  await lookAt(page, '/admin/products/[sourceKey]', 'preview')
  await why(page, 'Correct this product').fill('Digits were swapped.')
  await press(page, 'Change rate to 4.60%')
  await heading(page, 'Corrected by hand').waitFor()
  expect(await rateOf('desk-journey')).toBe('4.60')
  await lookAt(page, '/admin/products/[sourceKey]', 'corrected')

  await page.goto('/admin/quality')
  await lookAt(page, '/admin/quality')
  await page.goto('/admin/service')
  await page.locator('summary', { hasText: 'By minute' }).click()
  await lookAt(page, '/admin/service')
})
