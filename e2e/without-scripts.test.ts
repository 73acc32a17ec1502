import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goodPassword, PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Opens a page without JavaScript. The browser submits forms itself and sends the page's origin, as it does before scripts have loaded. */
const plainPage = () => site.newPage({ javaScriptEnabled: false })

const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** Signs up, up to the page that asks to check the email. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  await press(page, 'Create account')
  await page.getByText("If this address can be used to sign up, we've sent it a link.").waitFor()
}

test('signs up, confirms the email, and signs out', async () => {
  const [page, email] = [await plainPage(), portal.newEmail()]
  await page.goto('/sign-up')
  await press(page, 'Create account')
  await page.getByRole('link', { name: 'Enter your email address.' }).waitFor()
  await signUp(page, email)
  await press(page, 'Resend email')
  await page.getByText('Email resent.', { exact: true }).waitFor()
  await page.goto(await portal.link(email, 2))
  await press(page, 'Confirm email')
  await page.getByText('20 credits added.').waitFor()
  await press(page, 'Sign out')
  await page.goto('/sign-in')
  await press(page, 'Sign in')
  await page.getByText('There is a problem').waitFor()
  await portal.signIn(page, email)
  await page.waitForURL('**/portal')
})

test('confirms a sign-up in another browser with the password, and sends a new link if the first one was used', async () => {
  const [page, email] = [await plainPage(), portal.newEmail()]
  await signUp(page, email)
  const link = await portal.link(email)
  const other = await plainPage()
  await other.goto(link)
  await press(other, 'Confirm email')
  await other.getByText('There is a problem').waitFor()
  await other.getByLabel('Password', { exact: true }).fill(goodPassword)
  await press(other, 'Confirm email')
  await other.getByText('Email confirmed.').or(other.getByText('20 credits added.')).waitFor()
  await page.goto(link)
  await page.getByText('This link has already been used or has expired.').waitFor()
  await press(page, 'Send a new link')
  await page.getByText("If there is a sign-up to confirm, we've sent a new link.").waitFor()
})

test('resets a password', async () => {
  const { email } = await portal.member()
  const page = await plainPage()
  await page.goto('/reset')
  await press(page, 'Send reset link')
  await page.getByRole('link', { name: 'Enter your email address.' }).waitFor()
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Send reset link')
  await page.getByText("If an account exists for this address, we've sent a link.").waitFor()
  await page.goto(await portal.link(email))
  await page.getByLabel('New password', { exact: true }).fill('short')
  await press(page, 'Save password')
  await page.getByRole('link', { name: 'Password must be 12 characters or more.' }).waitFor()
  await page.getByLabel('New password', { exact: true }).fill('four red pears went up')
  await press(page, 'Save password')
  await page.getByText("You've been signed out on all devices.").waitFor()
  await portal.signIn(page, email, 'four red pears went up')
  await page.waitForURL('**/portal')
})

test('sends no referrer to other sites from pages with a token in the URL', async () => {
  const page = await site.newPage()
  for (const path of ['/confirm/a-token', '/reset/a-token']) {
    const response = await page.goto(path)
    expect([path, response?.headers()['referrer-policy']]).toEqual([path, 'same-origin'])
    expect([path, await page.locator('meta[name="referrer"]').getAttribute('content')]).toEqual([path, 'same-origin'])
  }
})
