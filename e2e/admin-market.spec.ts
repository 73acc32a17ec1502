import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { ndjson, product } from '../tests/market/feeds.ts'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

/** Current content of the supplier's feed; null makes it unavailable. */
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

const test = portalTest(async () => ({ NODE_ENV: '', MARKET_SOURCES: `feed-product=${await openSupplier()}` }))
test.afterAll(() => supplier?.close())

const why = (page: Page, form: string) => page.getByRole('region', { name: form, exact: true }).getByLabel('Why')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Reloads a page until it contains `text`. */
const waitForText = (page: Page, text: string) =>
  expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('main').textContent()
    })
    .toContain(text)

test('shows missing data, publishes a quarantined import and corrects a rate', async ({ portal, newMember, newAdministrator }) => {
  const [{ page }, caller] = [await newAdministrator(), await newMember({ credits: 500 })]
  const { key } = await portal.liveKey(caller)
  const [standing] = await portal.sql<{ key: string; slug: string }>(
    `SELECT p.source_key AS key, p.provider_slug AS slug FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     WHERE p.dataset = 'live' AND p.withdrawn_at IS NULL AND v.active AND p.account_type = 'easy-access' AND p.rate_bp <> 460 ORDER BY 1 LIMIT 1`,
  )
  const { key: known, slug } = standing ?? { key: '', slug: '' }
  const getRate = async (sourceKey: string) => {
    const { status, body } = await portal.call(key, `/rates/${sourceKey}`)
    return status === 200 ? (body['data'] as { rate: string }).rate : status
  }

  // The supplier is unavailable.
  await page.goto('/admin/imports')
  await waitForText(page, 'No. Data from 0 of 1 source has arrived')
  await lookAt(page, '/admin/imports', 'failed')
  await page.getByRole('link', { name: 'Operator feed, product' }).click()
  await expect(heading(page, 'Operator feed, product')).toBeVisible()
  await lookAt(page, '/admin/imports/[id]', 'failed')

  // The supplier is available again but sends an invalid feed.
  feed = ndjson(product(known, { providerSlug: slug, rate: '4,60' }))
  await press(page, 'Fetch now')
  await expect(page.getByText('Enter a reason. It is recorded in the audit log.').first()).toBeVisible()
  await why(page, 'Fetch now').fill('The supplier has called.')
  await press(page, 'Fetch now')
  await waitForText(page, 'rate must be a percentage')
  await lookAt(page, '/admin/imports/[id]', 'rejected')

  // The supplier now sends a valid feed that would withdraw almost everything.
  const terms = { providerSlug: slug, rate: '4.60', baseRate: '4.60', boostRate: null, boostDuration: null }
  feed = ndjson(product(known, terms), product('admin-journey', { ...terms, rate: '6.40', baseRate: '6.40' }))
  await why(page, 'Fetch now').fill('It was mended.')
  await press(page, 'Fetch now')
  await waitForText(page, 'This import is quarantined')
  expect(await getRate('admin-journey')).toBe(404)
  await expect(heading(page, 'Largest rate changes')).toBeVisible()
  await lookAt(page, '/admin/imports/[id]', 'held')
  await why(page, 'Publish').fill('The supplier removed the others intentionally.')
  await press(page, 'Publish 2 rows')
  await expect(page.getByText('This import is quarantined')).toHaveCount(0)
  expect([await getRate('admin-journey'), await getRate(known)]).toEqual(['6.40', '4.60'])
  await page.goto('/admin/imports')
  await expect(page.getByText('Yes. Data from the only source has arrived')).toBeVisible()

  // Corrects the rate of the product `admin-journey` from 6.40 to 4.60.
  await page.goto('/admin/products')
  await page.getByLabel('Key, name, provider or type').fill('admin-journey')
  await press(page, 'Find products')
  await page.waitForURL(/q=admin-journey/)
  await lookAt(page, '/admin/products', 'found')
  await page.getByRole('row', { name: 'Easy Access Saver admin-journey' }).getByRole('link').click()
  await expect(heading(page, 'Easy Access Saver')).toBeVisible()
  await lookAt(page, '/admin/products/[sourceKey]', 'listed')
  await page.getByLabel('Rate', { exact: true }).fill('4.60')
  await why(page, 'Correct').fill('Digits were swapped.')
  await press(page, 'Preview')
  await expect(page.getByText('Rate 6.40% → 4.60%')).toBeVisible()
  await lookAt(page, '/admin/products/[sourceKey]', 'preview')
  await press(page, 'Change rate to 4.60%')
  await expect(heading(page, 'Manually corrected')).toBeVisible()
  expect(await getRate('admin-journey')).toBe('4.60')
  await lookAt(page, '/admin/products/[sourceKey]', 'corrected')

  await page.goto('/admin/quality')
  await lookAt(page, '/admin/quality')
  await page.goto('/admin/service')
  await page.locator('summary', { hasText: 'By minute' }).click()
  await lookAt(page, '/admin/service')
})
