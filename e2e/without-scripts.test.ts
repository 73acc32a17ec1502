import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goodPassword, PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Before scripts have come, or where there are none, a form is sent by the browser itself, which says where it comes from. */
const plainPage = () => site.newPage({ javaScriptEnabled: false })

const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** Signs up, as far as the page that says to look at the mail. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  await press(page, 'Create account')
  await page.getByText('If you can use this address, a link is on its way.').waitFor()
}

test('from the sign-up to the portal, and out of it', async () => {
  const [page, email] = [await plainPage(), portal.newEmail()]
  await page.goto('/sign-up')
  await press(page, 'Create account')
  await page.getByRole('link', { name: 'Enter your email address.' }).waitFor()
  await signUp(page, email)
  await press(page, 'Send it again')
  await page.getByText('Sent again.', { exact: true }).waitFor()
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

test('in another browser a sign-up is confirmed with its password, and for a link that is used there is a new one', async () => {
  const [page, email] = [await plainPage(), portal.newEmail()]
  await signUp(page, email)
  const link = await portal.link(email)
  const other = await plainPage()
  await other.goto(link)
  await press(other, 'Confirm email')
  await other.getByText('There is a problem').waitFor()
  await other.getByLabel('Password', { exact: true }).fill(goodPassword)
  await press(other, 'Confirm email')
  await other.getByText('Your email is confirmed.').or(other.getByText('20 credits added.')).waitFor()
  await page.goto(link)
  await page.getByText('This link has been used or has expired.').waitFor()
  await press(page, 'Send a new link')
  await page.getByText('If there is a sign-up to confirm, a new link is on its way.').waitFor()
})

test('a password is reset', async () => {
  const { email } = await portal.member()
  const page = await plainPage()
  await page.goto('/reset')
  await press(page, 'Send reset link')
  await page.getByRole('link', { name: 'Enter your email address.' }).waitFor()
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Send reset link')
  await page.getByText('If there is an account with this address, a link is on its way.').waitFor()
  await page.goto(await portal.link(email))
  await page.getByLabel('New password', { exact: true }).fill('short')
  await press(page, 'Save password')
  await page.getByRole('link', { name: 'Password must be 12 characters or more.' }).waitFor()
  await page.getByLabel('New password', { exact: true }).fill('four red pears went up')
  await press(page, 'Save password')
  await page.getByText('You have been signed out on every device.').waitFor()
  await portal.signIn(page, email, 'four red pears went up')
  await page.waitForURL('**/portal')
})

test('the address of a page that holds a token goes to no other site', async () => {
  const page = await site.newPage()
  for (const path of ['/confirm/a-token', '/reset/a-token']) {
    const response = await page.goto(path)
    expect([path, response?.headers()['referrer-policy']]).toEqual([path, 'same-origin'])
    expect([path, await page.locator('meta[name="referrer"]').getAttribute('content')]).toEqual([path, 'same-origin'])
  }
})
