import { expect, type Page } from '@playwright/test'
import { goodPassword } from '../tests/portal/support/portal-fixture.ts'
import { signIn } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Disables JavaScript, so that the browser itself submits forms and sends the page's origin, as it does before scripts have loaded. */
const withoutScripts = { javaScriptEnabled: false }

const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** Creates an account on the sign-up page. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  await press(page, 'Create account')
  await page.waitForURL('**/sign-up/check-email')
}

test('the sign-in, sign-up and portal pages show a notice that they need JavaScript', async ({ newMember, newPage }) => {
  const [page, { page: portalPage }] = [await newPage(withoutScripts), await newMember({}, withoutScripts)]
  // Chromium doesn't render this element if only the tests turn scripts off, and Playwright's text assertions skip it.
  const lines = async (at: Page) => (await at.locator('noscript').allTextContents()).filter((text) => text.includes('needs JavaScript')).length
  for (const path of ['/sign-in', '/sign-up', '/reset']) {
    await page.goto(path)
    expect(await lines(page), path).toBe(1)
  }
  await portalPage.goto('/portal')
  expect(await lines(portalPage)).toBe(1)
  await page.goto('/docs')
  expect(await lines(page)).toBe(0)
})

test('a form submitted without JavaScript saves nothing, and shows a page with instructions', async ({ portal, newPage, pageErrors }) => {
  // The browser logs the status of the response.
  pageErrors.expect(/status of 415/)
  const [page, email] = [await newPage(withoutScripts), portal.newEmail()]
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  const [response] = await Promise.all([page.waitForResponse('**/api/trpc/**'), press(page, 'Create account')])
  expect(response.status()).toBe(415)
  await expect(page.getByRole('heading', { name: 'This form needs JavaScript' })).toBeVisible()
  expect(page.url()).not.toContain(email)
  expect(await portal.sql('SELECT FROM account WHERE email = $1', [email])).toEqual([])
})

test('signs in, confirms a sign-up, and signs out', async ({ portal, newPage }) => {
  const [page, other, email] = [await newPage(withoutScripts), await newPage(), portal.newEmail()]
  await signUp(other, email)
  await page.goto(await portal.link(email))
  await press(page, 'Confirm email')
  await expect(page.getByText('There is a problem')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await press(page, 'Confirm email')
  await expect(page.getByText('Email confirmed.').or(page.getByText('20 credits added.'))).toBeVisible()
  await press(page, 'Sign out')
  await page.goto('/sign-in')
  await press(page, 'Sign in')
  await expect(page.getByText('There is a problem')).toBeVisible()
  await signIn(page, email)
  await page.waitForURL('**/portal')
})

test('sends no referrer to other sites from pages with a token in the URL', async ({ page }) => {
  for (const path of ['/confirm/a-token', '/reset/a-token']) {
    const response = await page.goto(path)
    expect([path, response?.headers()['referrer-policy']]).toEqual([path, 'same-origin'])
    expect([path, await page.locator('meta[name="referrer"]').getAttribute('content')]).toEqual([path, 'same-origin'])
  }
})
