import { expect } from '@playwright/test'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

const maxHeights = { phone: 3_500, desktop: 2_500 } as const

test('the calls to action lead to sign-up and to the docs, on the first screen and at the end', async ({ page }) => {
  for (const place of ['first', 'last'] as const) {
    for (const [name, path] of [
      ['Create account', '/sign-up'],
      ['Read the docs', '/docs'],
    ] as const) {
      await page.goto('/')
      const link = page.getByRole('main').getByRole('link', { name })[place]()
      if (place === 'first') await expect(link).toBeInViewport()
      await link.click()
      await page.waitForURL(`**${path}`)
    }
  }
})

test('the first call to action is on the first screen of a phone, and the page stays short', async ({ newPage, page }) => {
  const small = await newPage(phone)
  await small.goto('/')
  await expect(small.getByRole('main').getByRole('link', { name: 'Create account' }).first()).toBeInViewport()
  expect(await small.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(maxHeights.phone)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/')
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(maxHeights.desktop)
})

test('shows the example as a table, as JSON and as curl without JavaScript, and runs it in the API reference', async ({ newPage }) => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto('/')
  const example = page.getByRole('region', { name: 'Example call' })
  await expect(example.getByRole('table')).toContainText('%')
  const json = example.getByRole('region', { name: 'Response as JSON' })
  await expect(json).toBeHidden()
  await example.getByText('JSON', { exact: true }).click()
  await expect(json).toContainText(/"sample": ?true/)
  await expect(example.getByRole('table')).toBeHidden()
  await example.getByText('curl', { exact: true }).click()
  await expect(example.getByText('Authorization: Bearer')).toBeVisible()
  await example.getByRole('link', { name: 'Run this call' }).click()
  await expect(page.getByText(/"sample": ?true/)).toBeVisible()
})

test('serves the same page to every anonymous visitor', async ({ newPage }) => {
  const withoutNonces = (html: string) => html.replace(/nonce="[^"]*"|"nonce":"[^"]*"/g, '').replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '')
  const [one, other] = [await newPage(), await newPage({ locale: 'de-DE', userAgent: 'Other/1.0' })]
  const text = async (page: typeof one) => {
    await page.goto('/')
    return withoutNonces(await page.getByRole('main').innerHTML())
  }
  expect(await text(one)).toBe(await text(other))
})
