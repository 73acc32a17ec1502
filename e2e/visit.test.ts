import { expect, test } from 'vitest'
import { lookAt } from './support/look-at.ts'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

test('a skip link is first in the tab order', async () => {
  const page = await site.newPage()
  await page.goto('/docs')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true)
})

test('switches code samples with the arrow keys', async () => {
  const page = await site.newPage()
  await page.goto('/docs')
  await page.getByRole('radio', { name: 'curl' }).focus()
  expect(await page.getByText('urllib.request.Request').isVisible()).toBe(false)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true)
  expect(await page.getByText('urllib.request.Request').isVisible()).toBe(true)
})

test('opens both menus on a phone without JavaScript', async () => {
  const page = await site.newPage({ width: 390, javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByText('Menu', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'API reference' }).click()
  expect(new URL(page.url()).pathname).toBe('/reference')
  await page.getByText('Endpoints', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', { name: '/rates', exact: true }).click()
  expect(new URL(page.url()).pathname).toBe('/reference/rates-list')
})

test('Escape or a click outside closes the menu on a phone', async () => {
  const { page: own } = await portal.member({ view: { width: 390 } })
  const visitor = await site.newPage({ width: 390 })
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
    expect([path, await word.evaluate((summary) => summary === document.activeElement)]).toEqual([path, true])
    await word.click()
    await link.waitFor()
    await page.mouse.click(195, 830)
    expect([path, await link.isVisible()]).toEqual([path, false])
  }
})

test('searches without JavaScript and links to the matching section', async () => {
  const page = await site.newPage({ javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('constant time')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webhooks: Verify the signature' }).click()
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/webhooks#verify-the-signature')
  await page.goto('/docs/search?q=zebra')
  await page.getByText('No results for “zebra”.').waitFor()
})

test('keeps the chosen theme on every page, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await site.newPage({ theme: 'light', javaScriptEnabled })
    const background = () => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    await page.goto('/docs/limits?from=here')
    expect(await background()).toBe('rgb(246, 248, 247)')
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(background).toBe('rgb(13, 20, 17)')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/docs/limits?from=here')
    await page.goto('/reference')
    expect(await background()).toBe('rgb(13, 20, 17)')
    await page.getByRole('button', { name: 'System' }).click()
    await expect.poll(background).toBe('rgb(246, 248, 247)')
  }
})

test('copies a code sample and shows "Copied"', async () => {
  const page = await site.newPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/authentication')
  await page.getByRole('button', { name: 'Copy curl' }).first().click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`curl "${site.origin}/v1/ping" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
})

const shownBody = async (page: Awaited<ReturnType<typeof site.newPage>>) => JSON.parse((await page.locator('main pre').last().textContent()) ?? '')

test('calls an endpoint on sample data without an account', async () => {
  const page = await site.newPage()
  await page.goto('/reference/rates-list')
  await page.getByRole('link', { name: 'Try it' }).last().click()
  await page.getByText('Sample data with fictional banks. Free.').waitFor()
  await page.getByLabel('type').selectOption('notice')
  await page.getByLabel('limit').fill('2')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 200', { exact: true }).waitFor()
  const { data, meta } = await shownBody(page)
  expect(data).toHaveLength(2)
  expect(meta).toMatchObject({ sample: true, creditsCharged: 0, limit: 2 })
  const sample = await site.fixture.sql<{ source_key: string }>(`SELECT source_key FROM product WHERE dataset = 'sample'`)
  expect(sample.map((row) => row.source_key)).toEqual(expect.arrayContaining(data.map((row: { sourceKey: string }) => row.sourceKey)))
  await page.getByText(/^\d+ headers$/).click()
  await page.getByText('x-svc-request-id', { exact: false }).first().waitFor()
  // The URL matches the call, whether it was sent by the script or by the form.
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ endpoint: 'rates-list', type: 'notice', limit: '2' })
})

test('makes a call without JavaScript, and from a shared URL', async () => {
  const page = await site.newPage({ javaScriptEnabled: false })
  await page.goto('/console?endpoint=simulate')
  await page.getByLabel('months').fill('6')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 200', { exact: true }).waitFor()
  expect((await shownBody(page)).data).toMatchObject({ months: 6 })
  await page.goto('/console?endpoint=rates-list&type=tpye&send=1')
  await page.getByText('Status 400').waitFor()
  expect(await shownBody(page)).toMatchObject({ error: 'invalid_request' })
})

test('uses a test key stored in the tab, but never a live key', async () => {
  const { key, keyId } = await site.fixture.test()
  const page = await site.newPage()
  await page.goto('/console?endpoint=service-ping')
  await page.evaluate((value) => sessionStorage.setItem('svc-test-key', value), key)
  await page.reload()
  await page.getByText('Sample data, using the test key stored in this tab. Free.').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 200', { exact: true }).waitFor()
  const { data } = await shownBody(page)
  await expect.poll(() => site.fixture.sql('SELECT 1 FROM request_log r JOIN api_key k ON k.id = r.key_id WHERE k.public_id = $1', [keyId])).toHaveLength(1)
  expect(data).toMatchObject({ ok: true, mode: 'test' })
  await page.goto('/docs')
  await expect.poll(() => page.locator('pre').nth(1).textContent()).toContain(`Bearer ${key}`)
  await page.evaluate(() => sessionStorage.setItem('svc-test-key', 'svc_live_000000000000000000000000000000000000'))
  await page.goto('/console?endpoint=service-ping')
  await page.getByText('Sample data with fictional banks. Free.').waitFor()
})

test('a double click on a call with a live key is charged only once', async () => {
  const member = await portal.member()
  const { id, key } = await portal.liveKey(member, { name: 'Price page' })
  const { page } = member
  await page.goto('/console?endpoint=rates-list&limit=3')
  await page.getByText('Sample data with fictional banks. Free.').waitFor()
  const choice = page.getByLabel('Call with')
  await choice.selectOption({ label: `Price page svc_live_…${key.slice(-4)}` })
  await page.getByText('Live data, using Price page').waitFor()
  await page.getByLabel('limit').fill('5')
  await page.getByRole('button', { name: 'Send (up to 5 credits)' }).dblclick()
  await page.getByText('Balance 95', { exact: true }).waitFor()
  expect((await shownBody(page)).meta).toMatchObject({ sample: false, creditsCharged: 5, creditsBalance: 95 })
  expect(await site.fixture.ledger(member)).toHaveLength(2)
  await lookAt(page, '/console', 'live')
  expect(page.url()).not.toContain(id)
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).toBe('[{},{}]')
  await page.reload()
  expect(await choice.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
})

test('shows how many seconds to wait after the rate limit is exceeded', async () => {
  const page = await site.newPage()
  await page.goto('/console?endpoint=service-ping')
  const post = () => page.evaluate(() => fetch('/console/call', { method: 'POST', body: '{"target":"/ping"}' }).then((response) => response.json()))
  await expect.poll(async () => (await post()).status, { timeout: 20_000, interval: 20 }).toBe(429)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/^Rate limit exceeded\. Try again in \d+ seconds\.$/).waitFor()
  await page.getByText('Status 429', { exact: true }).waitFor()
})
