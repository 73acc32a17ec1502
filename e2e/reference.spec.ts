import { expect, type Page } from '@playwright/test'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

const path = '/reference/rates-list'
const route = '/reference/[operation]'

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
const response = (page: Page) => page.getByRole('region', { name: 'Response' })

test("shows the call's purpose and an example response first", async ({ page }) => {
  await page.goto(path)
  const title = page.getByRole('heading', { level: 1, name: 'List rates' })
  await expect(title.locator('~ p').nth(0)).toHaveText('List savings products, best rate first.')
  const purpose = title.locator('~ p').nth(1)
  await expect(purpose).toHaveText(/^Use it to find the best savings accounts/)
  await expect(purpose).toBeInViewport()
  await expect(response(page)).toContainText('Example response')
  await expect(response(page)).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport()
})

test('marks the field that the API rejects, until its value changes', async ({ page }) => {
  await page.goto(path)
  const limit = page.getByLabel('limit', { exact: true })
  await limit.fill('many')
  await send(page)
  await expect(page.getByText('Status 400', { exact: true })).toBeVisible()
  await expect(limit).toBeFocused()
  await expect(limit).toHaveAttribute('aria-invalid', 'true')
  await expect(limit).toHaveAccessibleDescription(/^"limit" must be a whole number from 1 to \d+/)
  await expect(response(page).getByRole('link', { name: 'About invalid_request' })).toHaveAttribute('href', '/docs/errors/invalid_request')
  await lookAt(page, route, 'field error')
  await limit.fill('2')
  await expect(limit).not.toHaveAttribute('aria-invalid')
  const fields = page.getByLabel('fields', { exact: true })
  await fields.fill('provider,rat')
  await send(page)
  await expect(fields).toHaveAccessibleDescription(/^"rat" is not a field of this list\. Did you mean "rate"\?/)
  await expect(fields).toBeFocused()
  await page.goto('/reference/providers-get')
  await page.getByLabel('slug', { exact: true }).fill('nobody')
  await send(page)
  await expect(page.getByText('Status 404', { exact: true })).toBeVisible()
})

test('shows the response as a collapsible tree, as a table and with its headers, below its status', async ({ page }) => {
  await page.goto(path)
  await page.getByLabel('limit', { exact: true }).fill('12')
  await page.keyboard.press('Control+Enter')
  const status = page.getByText('Status 200', { exact: true })
  await expect(status).toBeVisible()
  await expect(response(page)).toContainText(/Time [\d.]+ ms/)
  await expect(response(page)).toContainText('Cost 0 credits')
  const body = page.getByRole('region', { name: 'Body' })
  // The content scrolls on its own, so the status stays where it is.
  await body.evaluate((pane) => pane.scrollTo(0, pane.scrollHeight))
  expect(await body.evaluate((pane) => pane.scrollTop)).toBeGreaterThan(1_000)
  await expect(status).toBeInViewport()
  await body.evaluate((pane) => pane.scrollTo(0, 0))
  const rate = body.getByText('"rate": ', { exact: true }).first()
  await expect(rate).toBeVisible()
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect(rate).toBeHidden()
  await page.getByRole('button', { name: 'Expand all' }).click()
  await expect(rate).toBeVisible()
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect(rate).toBeHidden()
  await body.locator('summary').nth(2).click()
  await expect(rate).toBeVisible()
  await expect(page.getByRole('button', { name: 'Collapse all' })).toBeVisible()
  await page.getByRole('button', { name: 'Table' }).click()
  const table = response(page).getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'accountName' })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(13)
  await lookAt(page, route, 'table')
  await page.getByRole('button', { name: 'Headers' }).click()
  await expect(response(page)).toContainText('x-svc-credits-charged')
  await lookAt(page, route, 'headers')
})

test('fetches the next page', async ({ page }) => {
  await page.goto(path)
  await send(page)
  const body = page.getByRole('region', { name: 'Body' })
  await expect(page.getByText('Status 200', { exact: true })).toBeVisible()
  const read = async () => JSON.parse((await body.textContent()) ?? '') as { data: { sourceKey: string }[]; meta: { nextCursor: string } }
  const first = await read()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByLabel('cursor', { exact: true })).toHaveValue(first.meta.nextCursor)
  await expect.poll(async () => (await read()).data[0]?.sourceKey).not.toBe(first.data[0]?.sourceKey)
  expect((await read()).data).toHaveLength(2)
})

test('updates the code in every language as the form changes, and remembers the language on other pages', async ({ page }) => {
  await page.goto(path)
  await page.getByLabel('type', { exact: true }).selectOption('notice')
  const code = page.locator('fieldset', { hasText: 'Language' }).filter({ visible: true })
  for (const [name, sign] of [
    ['curl', '-H "Authorization'],
    ['TypeScript', 'await fetch('],
    ['Python', 'urllib.request'],
    ['PHP', 'file_get_contents('],
    ['Ruby', 'Net::HTTP'],
    ['Go', 'http.NewRequest('],
  ] as const) {
    await code.getByText(name, { exact: true }).click()
    await expect(code.locator('pre:visible')).toContainText(sign)
    await expect(code.locator('pre:visible')).toContainText('/v1/rates?type=notice&limit=2')
  }
  await page.goto('/docs')
  await expect(page.getByRole('radio', { name: 'Go' })).toBeChecked()
  await expect(page.getByText('http.NewRequest(')).toBeVisible()
  await page.goto('/docs/webhooks')
  await expect(page.getByText('package webhook')).toBeVisible()
  // A choice on any page counts, and pages without that language show their first one.
  await page.getByRole('radio', { name: 'PHP' }).focus()
  await page.keyboard.press('Space')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'PHP' })).toBeChecked()
  await page.goto('/reference/simulate')
  await expect(page.getByRole('radio', { name: 'PHP' })).toBeChecked()
})

test('shows the remembered language before the first paint', async ({ page }) => {
  await page.goto('/docs')
  await page.evaluate(() => localStorage.setItem('svc-language', 'go'))
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        Object.assign(window, { shifted: Reflect.get(window, 'shifted') + entry.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const at of ['/docs', path]) {
    await page.goto(at)
    await expect(page.getByRole('radio', { name: 'Go' })).toBeChecked()
    await expect(page.getByRole('button', { name: 'System' })).toHaveAttribute('aria-pressed', 'true')
    expect(await page.evaluate(() => Reflect.get(window, 'shifted'))).toBeLessThan(0.05)
  }
})

test('links from the top of the page to the request below the parameters on a phone', async ({ newPage }) => {
  const page = await newPage(phone)
  await page.goto(path)
  const link = page.getByRole('link', { name: 'Try it with test data' })
  await expect(link).toBeInViewport()
  const [code, parameters] = [page.locator('fieldset', { hasText: 'Language' }).filter({ visible: true }), page.getByRole('heading', { name: 'Parameters' })]
  await expect(code).toHaveCount(1)
  expect((await code.boundingBox())?.y).toBeLessThan((await parameters.boundingBox())?.y ?? 0)
  // The bar doesn't cover a focused field.
  const amount = page.getByLabel('amount', { exact: true })
  await amount.focus()
  await expect(amount).toBeInViewport({ ratio: 1 })
  const [field, bar] = [await amount.boundingBox(), await link.boundingBox()]
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  await link.click()
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport()
  await expect(link).toBeHidden()
})

test('runs a call on a phone, and brings its response into view', async ({ newPage }) => {
  const page = await newPage(phone)
  await page.goto(path)
  await page.getByLabel('limit', { exact: true }).fill('5')
  await send(page)
  await expect(page.getByText('Status 200', { exact: true })).toBeInViewport()
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(response(page).getByRole('row')).toHaveCount(6)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test("offers the account's active keys without showing their secrets", async ({ portal, newMember }) => {
  const member = await newMember()
  const { key } = await portal.liveKey(member, { name: 'Price page' })
  const { page } = member
  await page.goto(path)
  const choice = page.getByLabel('Call with')
  await expect(choice).toBeVisible()
  await expect(choice.locator('option')).toHaveText(['Sample data (free)', `Price page svc_live_…${key.slice(-4)}`])
  await choice.selectOption({ label: `Price page svc_live_…${key.slice(-4)}` })
  await page.getByLabel('limit', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Send (up to 3 credits)' }).click()
  await expect(page.getByText('Balance 97', { exact: true })).toBeVisible()
  // The header follows.
  await expect(page.getByRole('banner').getByRole('link', { name: '97 credits' })).toBeVisible()
  expect(await page.content()).not.toContain(key)
  expect(page.url()).not.toContain('key')
})

test('never shows the sign-in link to a signed-in reader, even before scripts have loaded', async ({ newMember, pageErrors }) => {
  // The browser reports the scripts that the test holds back.
  pageErrors.expect(/_next|Failed to load/)
  const { page } = await newMember()
  await page.goto('/docs')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: /^Your account, / })).toHaveAttribute('href', '/portal')
  await page.route('**/_next/**/*.js', (request) => request.abort())
  await page.goto('/docs/limits', { waitUntil: 'commit' })
  await expect(banner.getByText('Your account', { exact: true }).first()).toBeVisible()
  for (const name of ['Sign in', 'Create account']) await expect(banner.getByText(name, { exact: true }).first()).toBeHidden()
})
