import { expect, type Page } from '@playwright/test'
import { type Member as Account, goodPassword, type PortalFixture } from '../tests/portal/support/portal-fixture.ts'
import { addMembership } from '../tests/portal/support/teams.ts'
import { openAccountMenu } from './support/account-menu.ts'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

const team = 'Harbour Street Labs'

const nameAccount = (portal: PortalFixture, { id }: Account) => portal.sql('UPDATE account SET name = $2 WHERE id = $1', [id, team])

/** Creates an account from an invitation that is open on the page, and confirms its email. */
async function signUpFromInvitation(page: Page, email: string, getLink: () => Promise<string>): Promise<void> {
  await page.getByRole('link', { name: 'Create account' }).last().click()
  await page.waitForURL('**/sign-up?next=*')
  await expect(page.getByRole('heading', { name: /^Create account to join / })).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('I accept the Data Licence').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/sign-up/check-email')
  await page.goto(await getLink())
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.waitForURL('**/join/*')
}

test('invites a developer, who signs up, creates a key, is refused a top-up and is removed', async ({ portal, newMember, newPage }) => {
  const [owner, page, email] = [await newMember(), await newPage(), portal.newEmail()]
  await nameAccount(portal, owner)
  await owner.page.goto('/portal/settings/members')
  await expect(owner.page.getByText('No open invitations.')).toBeVisible()
  await owner.page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(owner.page.getByRole('alert').getByRole('link', { name: 'Enter an email address.' })).toBeVisible()
  await owner.page.getByLabel('Email address').fill(email)
  await expect(owner.page.getByRole('radio', { name: 'Read-only', exact: false })).toBeChecked()
  await owner.page.getByRole('radio', { name: 'Developer', exact: false }).check()
  await owner.page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(owner.page.getByRole('button', { name: 'Revoke' })).toBeVisible()
  await lookAt(owner.page, '/portal/settings/members', 'invited')

  await page.goto(await portal.link(email))
  await expect(page.getByRole('heading', { name: `Join ${team}` })).toBeVisible()
  await lookAt(page, '/join/[token]')
  await signUpFromInvitation(page, email, () => portal.link(email, 2))
  await lookAt(page, '/join/[token]', 'signed in')
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL('**/portal')
  await expect(page.getByRole('banner').getByText(team)).toBeVisible()

  await page.goto('/portal/keys/new')
  await page.getByRole('radio', { name: 'Test' }).check()
  await page.getByLabel('Name').fill('Price page')
  await page.getByRole('button', { name: 'Create test key' }).click()
  await expect(page.getByRole('heading', { name: 'Your test key' })).toBeVisible()
  await owner.page.goto('/portal/keys')
  await owner.page.getByRole('link', { name: 'Price page' }).click()
  await expect(owner.page.getByText(`created by ${email}`)).toBeVisible()
  await owner.page.goto('/portal/settings/account')
  await expect(owner.page.getByText(`by ${email}`).first()).toBeVisible()

  page.once('dialog', (dialog) => dialog.accept())
  await page.goto('/portal/billing/top-up')
  await expect(page.getByText(`Your role in ${team} is developer. Ask its owner, ${owner.email}, for the billing role.`)).toBeVisible()
  await lookAt(page, '/portal/billing/top-up', 'developer')

  await owner.page.goto('/portal/settings/members')
  await owner.page.getByRole('button', { name: `Manage ${email}` }).click()
  await lookAt(owner.page, '/portal/settings/members', 'managing')
  await owner.page.getByRole('button', { name: 'Remove member' }).click()
  await expect(owner.page.getByRole('button', { name: `Manage ${email}` })).toBeHidden()
  await page.goto('/portal/keys')
  await expect(page.getByText(`You no longer have access to ${team}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Price page' })).toBeHidden()
  await lookAt(page, '/portal/keys', 'access lost')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/portal')
  await expect(page.getByText('You no longer have access')).toBeHidden()
})

test('switches accounts, transfers ownership and leaves', async ({ portal, newMember }) => {
  const [owner, member] = [await newMember(), await newMember({}, phone)]
  await nameAccount(portal, owner)
  await addMembership(portal, owner, member, 'read_only')
  await member.page.goto('/portal')
  await openAccountMenu(member.page)
  await lookAt(member.page, '/portal', 'account choice')
  const switched = member.page.waitForEvent('load')
  await member.page.getByRole('menuitemradio', { name: team }).click()
  await switched
  await expect(member.page.getByRole('banner').getByText(team)).toBeVisible()
  await member.page.goto('/portal/settings/members')
  await expect(member.page.getByRole('button', { name: 'Leave account' })).toBeVisible()
  await lookAt(member.page, '/portal/settings/members', 'read-only')

  await owner.page.goto('/portal/settings/members')
  await owner.page.getByRole('button', { name: `Manage ${member.email}` }).click()
  await owner.page.getByRole('button', { name: 'Transfer ownership…' }).click()
  await owner.page.getByRole('button', { name: 'Transfer ownership', exact: true }).click()
  await expect(owner.page.getByText('Ownership transferred. You are now a developer.')).toBeVisible()
  await expect(owner.page.getByRole('button', { name: 'Send invitation' })).toBeHidden()
  await member.page.reload()
  await expect(member.page.getByRole('button', { name: 'Send invitation' })).toBeVisible()

  await owner.page.getByRole('button', { name: 'Leave account' }).click()
  await owner.page.waitForURL('**/portal/settings')
  await expect(owner.page.getByText(`You no longer have access to ${team}.`)).toBeVisible()
  await lookAt(owner.page, '/portal/settings', 'without an account')
})
