import { expect, test } from 'vitest'
import { lookAt } from './support/look-at.ts'
import { type Member, PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Ends all sessions of a member without notifying the open page, as another device can. */
const signOutElsewhere = ({ id }: Member) => site.fixture.sql('UPDATE portal_session SET ended_at = now() WHERE account_id = $1', [id])

test('a form submitted after the session ended redirects to sign in and back', async () => {
  const member = await portal.member()
  const { page } = member
  await page.goto('/portal/settings')
  await page.locator('input[name="name"]').fill('Too late')
  await signOutElsewhere(member)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText("You've been signed out. Sign in to continue.").waitFor()
  await portal.signIn(page, member.email)
  await page.waitForURL('**/portal/settings')
  expect(await page.locator('input[name="name"]').inputValue()).toBe('')
})

test('an admin form submitted after the session ended redirects to sign in, with a return path', async () => {
  const [admin, other] = [await portal.administrator(), await portal.member({ isApproved: false })]
  const { page } = admin
  await page.goto(`/admin/review/${other.publicId}`)
  await page.locator('#approve-reason').fill('Known to us.')
  await signOutElsewhere(admin)
  await page.getByRole('button', { name: 'Approve account' }).click()
  await page.getByText("You've been signed out. Sign in to continue.").waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/admin/review/${other.publicId}`)
})

test('an open page reports an ended session, keeps its content and works again after sign-in', async () => {
  const member = await portal.member()
  const { page } = member
  await page.clock.install()
  await page.goto('/portal/keys?from=here')
  const notice = page.getByText("You've been signed out.")
  const look = async () => {
    await page.clock.runFor(20_000)
    return notice.count()
  }
  await page.getByText('100 credits').first().waitFor()
  await signOutElsewhere(member)
  await expect.poll(look, { timeout: 15_000 }).toBe(1)
  expect(await notice.locator('xpath=ancestor::*[@aria-live="assertive"]').count()).toBe(1)
  expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in?next=%2Fportal%2Fkeys%3Ffrom%3Dhere')
  expect(await page.getByText('100 credits').first().isVisible()).toBe(true)
  await lookAt(page, '/portal/keys', 'signed out')
  await site.fixture.sql('UPDATE portal_session SET ended_at = NULL WHERE account_id = $1', [member.id])
  await expect.poll(look, { timeout: 15_000 }).toBe(0)
  // The browser logs the rejected queries.
  expect(site.faults.splice(0).filter((fault) => !/Failed to load resource.*401/.test(fault))).toEqual([])
})

test('sign-out removes the account from the page and the test key from the tab', async () => {
  const { page, email } = await portal.member()
  await page.goto('/portal/settings')
  await page.getByText(email).first().waitFor()
  await page.evaluate(() => sessionStorage.setItem('svc-test-key', 'svc_test_of_somebody'))
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.waitForURL('**/sign-in**')
  await expect.poll(() => page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  expect(await page.content()).not.toContain(email)
  await page.goBack()
  await page.waitForURL('**/sign-in**')
  expect(await page.content()).not.toContain(email)
})
