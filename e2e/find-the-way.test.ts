import { expect, test } from 'vitest'
import { openSite } from './support/site.ts'

const site = openSite()

test('the first stop of the keyboard skips to the content', async () => {
  const page = await site.newPage()
  await page.goto('/docs')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true)
})

test('the language of an example is chosen with the arrow keys', async () => {
  const page = await site.newPage()
  await page.goto('/docs')
  await page.getByRole('radio', { name: 'curl' }).focus()
  expect(await page.getByText('urllib.request.Request').isVisible()).toBe(false)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true)
  expect(await page.getByText('urllib.request.Request').isVisible()).toBe(true)
})

test('on a phone both menus open without a script', async () => {
  const page = await site.newPage({ width: 390, javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByText('Menu', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'API reference' }).click()
  expect(new URL(page.url()).pathname).toBe('/reference')
  await page.getByText('Endpoints', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', { name: '/rates', exact: true }).click()
  expect(new URL(page.url()).pathname).toBe('/reference/rates-list')
})

test('a search without a script finds what is meant and leads to the place', async () => {
  const page = await site.newPage({ javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('constant time')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webhooks: Check the signature' }).click()
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/webhooks#check-the-signature')
  await page.goto('/docs/search?q=zebra')
  await page.getByText('No pages mention “zebra”.').waitFor()
})

test('colours that were chosen stay, on every page and without a script', async () => {
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

test('copying says so once, and copies what stands there', async () => {
  const page = await site.newPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/authentication')
  await page.getByRole('button', { name: 'Copy curl' }).first().click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`curl "${site.origin}/v1/ping" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
})
