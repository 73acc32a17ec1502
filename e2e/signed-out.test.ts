import { expect, test } from 'vitest'
import { type Member, PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Ends all sessions of somebody, as another device can: the page in front of them knows nothing of it. */
const signOutElsewhere = ({ id }: Member) => site.stage.sql('UPDATE portal_session SET ended_at = now() WHERE account_id = $1', [id])

test('a form that is sent after the sign-in has ended leads to the sign-in, and from there back to its page', async () => {
  const member = await portal.member()
  const { page } = member
  await page.goto('/portal/settings')
  await page.locator('input[name="name"]').fill('Too late')
  await signOutElsewhere(member)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('You were signed out. Sign in to go on.').waitFor()
  await portal.signIn(page, member.email)
  await page.waitForURL('**/portal/settings')
  expect(await page.locator('input[name="name"]').inputValue()).toBe('')
})

test('so does a form of the desk', async () => {
  const [admin, other] = [await portal.administrator(), await portal.member({ isApproved: false })]
  const { page } = admin
  await page.goto(`/admin/review/${other.publicId}`)
  await page.locator('#approve-reason').fill('Known to us.')
  await signOutElsewhere(admin)
  await page.getByRole('button', { name: 'Approve account' }).click()
  await page.getByText('You were signed out. Sign in to go on.').waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/admin/review/${other.publicId}`)
})
