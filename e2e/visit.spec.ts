import { expect, type Page } from '@playwright/test'
import { makeAccount } from '../tests/support/accounts.ts'
import { readLedger } from '../tests/support/read-ledger.ts'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

test('a skip link is first in the tab order', async ({ page }) => {
  await page.goto('/docs')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toHaveCount(1)
})

test('switches code samples with the arrow keys', async ({ page }) => {
  await page.goto('/docs')
  await page.getByRole('radio', { name: 'curl' }).focus()
  await expect(page.getByText('urllib.request.Request')).toBeHidden()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Python' })).toBeChecked()
  await expect(page.getByText('urllib.request.Request')).toBeVisible()
})

test('opens both menus on a phone without JavaScript', async ({ newPage }) => {
  const page = await newPage({ ...phone, javaScriptEnabled: false })
  await page.goto('/docs')
  await page.locator('header summary', { hasText: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'API reference' }).click()
  await expect(page).toHaveURL('/reference')
  await page.getByText('Endpoints', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', { name: 'List rates' }).click()
  await expect(page).toHaveURL('/reference/rates-list')
})

test('Escape or a click outside closes the menu on a phone', async ({ newMember, newPage }) => {
  const { page: own } = await newMember({}, phone)
  const visitor = await newPage(phone)
  for (const [page, path] of [
    [visitor, '/docs'],
    [own, '/portal'],
  ] as const) {
    await page.goto(path)
    const [word, link] = [page.locator('header summary'), page.locator('header details').getByRole('link', { name: 'Changelog' })]
    await word.click()
    await link.focus()
    // Retries, because Escape may be pressed before the script has loaded.
    await expect.poll(() => page.keyboard.press('Escape').then(() => link.isVisible())).toBe(false)
    await expect(word).toBeFocused()
    await word.click()
    await expect(link).toBeVisible()
    await page.mouse.click(195, 830)
    await expect(link).toBeHidden()
  }
})

test('searches without JavaScript and links to the matching section', async ({ newPage }) => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('constant time')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webhooks: Verify the signature' }).click()
  await expect(page).toHaveURL('/docs/webhooks#verify-the-signature')
  await page.goto('/docs/search?q=zebra')
  await expect(page.getByText('No results for “zebra”.')).toBeVisible()
})

test('keeps the chosen theme on every page, with and without JavaScript', async ({ newPage }) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await newPage({ javaScriptEnabled })
    const expectBackground = (colour: string) => expect(page.locator('body')).toHaveCSS('background-color', colour)
    await page.goto('/docs/limits?from=here')
    await expectBackground('rgb(244, 247, 245)')
    await page.getByRole('button', { name: 'Dark' }).click()
    await expectBackground('rgb(11, 17, 14)')
    await expect(page).toHaveURL('/docs/limits?from=here')
    await page.goto('/reference')
    await expectBackground('rgb(11, 17, 14)')
    await page.getByRole('button', { name: 'System' }).click()
    await expectBackground('rgb(244, 247, 245)')
  }
})

test('copies a code sample and shows "Copied"', async ({ page, portal }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/authentication')
  await page.getByRole('button', { name: 'Copy curl' }).first().click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`curl "${portal.origin}/v1/ping" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
})

const shownBody = async (page: Page) => JSON.parse((await page.getByRole('region', { name: 'Body' }).textContent()) ?? '')

test('calls an endpoint on sample data without an account', async ({ page, portal }) => {
  await page.goto('/reference/rates-list')
  await expect(page.getByText('Sample data with fictional banks. Free.')).toBeVisible()
  await page.getByLabel('type', { exact: true }).selectOption('notice')
  await page.getByLabel('limit').fill('2')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Status 200', { exact: true })).toBeVisible()
  const { data, meta } = await shownBody(page)
  expect(data).toHaveLength(2)
  expect(meta).toMatchObject({ sample: true, creditsCharged: 0, limit: 2 })
  const sample = await portal.sql<{ source_key: string }>(`SELECT source_key FROM product WHERE dataset = 'sample'`)
  expect(sample.map((row) => row.source_key)).toEqual(expect.arrayContaining(data.map((row: { sourceKey: string }) => row.sourceKey)))
  await page.getByRole('button', { name: 'Headers' }).click()
  await expect(page.getByText('x-svc-request-id', { exact: false }).first()).toBeVisible()
  // The URL matches the call, whether it was sent by the script or by the form.
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ type: 'notice', limit: '2' })
})

test('makes a call without JavaScript, and from a shared URL', async ({ newPage }) => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto('/console?endpoint=simulate')
  await page.getByLabel('months').fill('6')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Status 200', { exact: true })).toBeVisible()
  expect((await shownBody(page)).data).toMatchObject({ months: 6 })
  await page.goto('/console?endpoint=rates-list&type=tpye&send=1')
  await expect(page.getByText('Status 400')).toBeVisible()
  expect(await shownBody(page)).toMatchObject({ error: 'invalid_request' })
})

test('uses a test key stored in the tab, but never a live key', async ({ page, portal }) => {
  const { key, id } = await portal.liveKey(await makeAccount(portal.pool), { mode: 'test' })
  await page.goto('/console?endpoint=service-ping')
  await page.evaluate((value) => sessionStorage.setItem('svc-test-key', value), key)
  await page.reload()
  await expect(page.getByText('Sample data, using the test key stored in this tab. Free.')).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Status 200', { exact: true })).toBeVisible()
  const { data } = await shownBody(page)
  await expect.poll(() => portal.sql('SELECT 1 FROM request_log r JOIN api_key k ON k.id = r.key_id WHERE k.public_id = $1', [id])).toHaveLength(1)
  expect(data).toMatchObject({ ok: true, mode: 'test' })
  await page.goto('/docs')
  await expect(page.locator('pre').nth(1)).toContainText(`Bearer ${key}`)
  await page.evaluate(() => sessionStorage.setItem('svc-test-key', 'svc_live_000000000000000000000000000000000000'))
  await page.goto('/console?endpoint=service-ping')
  await expect(page.getByText('Sample data with fictional banks. Free.')).toBeVisible()
})

test('double-clicking the call button with a live key charges only once', async ({ portal, newMember }) => {
  const member = await newMember()
  const { id, key } = await portal.liveKey(member, { name: 'Price page' })
  const { page } = member
  await page.goto('/console?endpoint=rates-list&limit=3')
  await expect(page.getByText('Sample data with fictional banks. Free.')).toBeVisible()
  const choice = page.getByLabel('Call with')
  await choice.selectOption({ label: `Price page svc_live_…${key.slice(-4)}` })
  await expect(page.getByText('Live data, using Price page')).toBeVisible()
  await page.getByLabel('limit').fill('5')
  await page.getByRole('button', { name: 'Send (up to 5 credits)' }).dblclick()
  await expect(page.getByText('Balance 95', { exact: true })).toBeVisible()
  expect((await shownBody(page)).meta).toMatchObject({ sample: false, creditsCharged: 5, creditsBalance: 95 })
  expect(await readLedger(portal.pool, member.id)).toHaveLength(2)
  await lookAt(page, '/reference/[operation]', 'live')
  await expect(page).not.toHaveURL(new RegExp(id))
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).toBe('[{},{}]')
  await page.reload()
  await expect(choice).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
})

test('shows how many seconds to wait after the rate limit is exceeded', async ({ page }) => {
  await page.goto('/console?endpoint=service-ping')
  const post = () => page.evaluate(() => fetch('/console/call', { method: 'POST', body: '{"target":"/ping"}' }).then((response) => response.json()))
  await expect.poll(async () => (await post()).status, { timeout: 20_000, intervals: [20] }).toBe(429)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^Rate limit exceeded\. Try again in \d+ seconds\.$/)).toBeVisible()
  await expect(page.getByText('Status 429', { exact: true })).toBeVisible()
})
