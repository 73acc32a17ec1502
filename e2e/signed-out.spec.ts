import { expect } from '@playwright/test'
import { signOut } from './support/account-menu.ts'
import { lookAt } from './support/look-at.ts'
import { type Portal, signIn } from './support/portal.ts'
import { type Member, portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Ends all sessions of a member without the open page noticing, as happens when they sign out everywhere on another device. */
const signOutElsewhere = (portal: Portal, { id }: Member) => portal.sql('UPDATE portal_session SET ended_at = now() WHERE account_id = $1', [id])

test('submitting a form after the session has ended offers a sign-in that returns to the form', async ({ portal, newMember, pageErrors }) => {
  // The browser logs the rejected call.
  pageErrors.expect(/Failed to load resource.*401/)
  const member = await newMember()
  const { page } = member
  await page.goto('/portal/settings')
  await page.locator('input[name="name"]').fill('Too late')
  await signOutElsewhere(portal, member)
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('alert').getByText("You've been signed out. Sign in to continue.")).toBeVisible()
  await expect(page.locator('input[name="name"]')).toHaveValue('Too late')
  await page.locator('[aria-live="assertive"]').getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/sign-in?next=%2Fportal%2Fsettings')
  await signIn(page, member.email)
  await page.waitForURL('**/portal/settings')
  await expect(page.locator('input[name="name"]')).toHaveValue('')
})

test('submitting an admin form after the session has ended shows a link to sign in and return to the form', async ({
  portal,
  newMember,
  newAdministrator,
  pageErrors,
}) => {
  // The browser logs the rejected calls.
  pageErrors.expect(/Failed to load resource.*40[14]/)
  const [admin, other] = [await newAdministrator(), await newMember({ isApproved: false })]
  const { page } = admin
  await page.goto(`/admin/review/${other.publicId}`)
  await page.locator('#approve-reason').fill('Known to us.')
  await signOutElsewhere(portal, admin)
  await page.getByRole('button', { name: 'Approve account' }).click()
  await expect(page.getByRole('alert').getByText("You've been signed out. Sign in to continue.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', `/sign-in?next=${encodeURIComponent(`/admin/review/${other.publicId}`)}`)
})

test('an open page shows that the session has ended, keeps its content, and works again after sign-in', async ({ portal, newMember, pageErrors }) => {
  // The browser logs the rejected queries.
  pageErrors.expect(/Failed to load resource.*401/)
  const member = await newMember()
  const { page } = member
  await page.clock.install()
  await page.goto('/portal/keys?from=here')
  const notice = page.getByText("You've been signed out.")
  const look = async () => {
    await page.clock.runFor(20_000)
    return notice.count()
  }
  await expect(page.getByText('100 credits').first()).toBeVisible()
  await signOutElsewhere(portal, member)
  await expect.poll(look, { timeout: 15_000 }).toBe(1)
  await expect(notice.locator('xpath=ancestor::*[@aria-live="assertive"]')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign-in?next=%2Fportal%2Fkeys%3Ffrom%3Dhere')
  await expect(page.getByText('100 credits').first()).toBeVisible()
  await lookAt(page, '/portal/keys', 'signed out')
  await portal.sql('UPDATE portal_session SET ended_at = NULL WHERE account_id = $1', [member.id])
  await expect.poll(look, { timeout: 15_000 }).toBe(0)
})

test("signing out removes the account's data from the page and the test key from the tab", async ({ newMember }) => {
  const { page, email } = await newMember()
  await page.goto('/portal/settings/security')
  await expect(page.getByText(email).first()).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('svc-test-key', 'svc_test_of_somebody'))
  await signOut(page)
  await page.waitForURL('**/sign-in**')
  await expect.poll(() => page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  expect(await page.content()).not.toContain(email)
  await page.goBack()
  await page.waitForURL('**/sign-in**')
  expect(await page.content()).not.toContain(email)
})
