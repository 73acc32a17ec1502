import { expect, type Page } from '@playwright/test'
import { goodPassword } from '../tests/portal/support/portal-fixture.ts'
import { signIn } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Disables JavaScript, so that the browser itself submits forms and sends the page's origin, as it does before scripts have loaded. */
const withoutScripts = { javaScriptEnabled: false }

const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** Fills in and submits the sign-up form, which leads to the page that asks the user to check their email. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  await press(page, 'Create account')
  await expect(page.getByText("If this address can be used to sign up, we've sent it a link.")).toBeVisible()
}

test('signs up, confirms the email, and signs out', async ({ portal, newPage }) => {
  const [page, email] = [await newPage(withoutScripts), portal.newEmail()]
  await page.goto('/sign-up')
  await press(page, 'Create account')
  await expect(page.getByRole('link', { name: 'Enter your email address.' })).toBeVisible()
  await signUp(page, email)
  await press(page, 'Resend email')
  await expect(page.getByText('Email resent.', { exact: true })).toBeVisible()
  await page.goto(await portal.link(email, 2))
  await press(page, 'Confirm email')
  await expect(page.getByText('20 credits added.')).toBeVisible()
  await press(page, 'Sign out')
  await page.goto('/sign-in')
  await press(page, 'Sign in')
  await expect(page.getByText('There is a problem')).toBeVisible()
  await signIn(page, email)
  await page.waitForURL('**/portal')
})

test('confirms a sign-up in another browser after asking for the password, and sends a new link if the first one has been used', async ({
  portal,
  newPage,
}) => {
  const [page, email] = [await newPage(withoutScripts), portal.newEmail()]
  await signUp(page, email)
  const link = await portal.link(email)
  const other = await newPage(withoutScripts)
  await other.goto(link)
  await press(other, 'Confirm email')
  await expect(other.getByText('There is a problem')).toBeVisible()
  await other.getByLabel('Password', { exact: true }).fill(goodPassword)
  await press(other, 'Confirm email')
  await expect(other.getByText('Email confirmed.').or(other.getByText('20 credits added.'))).toBeVisible()
  await page.goto(link)
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await press(page, 'Send a new link')
  await expect(page.getByText("If there is a sign-up to confirm, we've sent a new link.")).toBeVisible()
})

test('resets a password', async ({ portal, newMember, newPage }) => {
  const { email } = await newMember()
  const page = await newPage(withoutScripts)
  await page.goto('/reset')
  await press(page, 'Send reset link')
  await expect(page.getByRole('link', { name: 'Enter your email address.' })).toBeVisible()
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Send reset link')
  await expect(page.getByText("If an account exists for this address, we've sent a link.")).toBeVisible()
  await page.goto(await portal.link(email))
  await page.getByLabel('New password', { exact: true }).fill('short')
  await press(page, 'Save password')
  await expect(page.getByRole('link', { name: 'Password must be 12 characters or more.' })).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('four red pears went up')
  await press(page, 'Save password')
  await expect(page.getByText("You've been signed out on all devices.")).toBeVisible()
  await signIn(page, email, 'four red pears went up')
  await page.waitForURL('**/portal')
})

test('sends no referrer to other sites from pages with a token in the URL', async ({ page }) => {
  for (const path of ['/confirm/a-token', '/reset/a-token']) {
    const response = await page.goto(path)
    expect([path, response?.headers()['referrer-policy']]).toEqual([path, 'same-origin'])
    expect([path, await page.locator('meta[name="referrer"]').getAttribute('content')]).toEqual([path, 'same-origin'])
  }
})
