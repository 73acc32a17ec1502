import { expect, type Page } from '@playwright/test'
import { IdentityProvider } from '../tests/portal/support/identity-provider.ts'
import type { Member } from '../tests/portal/support/portal-fixture.ts'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const provider = new IdentityProvider()
const test = portalTest(async (origin) => {
  await provider.open(origin)
  return { NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' }
})
test.afterAll(() => provider.close())

const team = 'Harbour Street Labs'

/** Signs in on the page of the provider. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill('any')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Sets up single sign-on on the page of the members. */
async function setUp({ publicId }: Member, page: Page, origin: string): Promise<void> {
  const { clientId, clientSecret } = provider.addClient(`${origin}/api/auth/callback/org-${publicId}`)
  await page.goto('/portal/settings/members')
  await lookAt(page, '/portal/settings/members', 'without single sign-on')
  await page.getByLabel('Issuer URL').fill(`${provider.issuer}/other`)
  await page.getByLabel('Client ID').fill(clientId)
  await page.getByLabel('Client secret', { exact: true }).fill(clientSecret)
  await page.getByRole('button', { name: 'Save single sign-on' }).click()
  await expect(page.getByText("We couldn't read the identity provider's discovery document").first()).toBeVisible()
  await page.getByLabel('Issuer URL').fill(provider.issuer)
  await page.getByRole('button', { name: 'Save single sign-on' }).click()
  await expect(page.getByRole('button', { name: 'Require for members' })).toBeVisible()
  await lookAt(page, '/portal/settings/members', 'with single sign-on')
}

test('an owner sets up and requires single sign-on, and an invited member joins through it', async ({ portal, newMember, newPage, pageErrors }) => {
  pageErrors.otherOrigins.add(provider.issuer)
  const [owner, page, email] = [await newMember(), await newPage(phone), portal.newEmail()]
  await portal.sql('UPDATE account SET name = $2 WHERE id = $1', [owner.id, team])
  await setUp(owner, owner.page, portal.origin)
  provider.people.set('the-owner', { email: owner.email })
  await owner.page.goto('/portal/settings/security')
  await owner.page.getByRole('button', { name: `Connect ${team}` }).click()
  await owner.page.getByRole('button', { name: `Continue with ${team}` }).click()
  await signInAtProvider(owner.page, 'the-owner')
  await expect(owner.page.getByText('Account connected.')).toBeVisible()

  await owner.page.goto('/portal/settings/members')
  await owner.page.getByLabel('Email address').fill(email)
  await owner.page.getByRole('button', { name: 'Send invitation' }).click()
  provider.people.set('a-colleague', { email, email_verified: true })
  await page.goto(await portal.link(email))
  await lookAt(page, '/join/[token]', 'with single sign-on')
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
  await signInAtProvider(page, 'a-colleague')
  await page.waitForURL('**/sign-up/finish')
  await page.getByLabel('I accept the Data Licence').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/portal')
  await expect(page.getByRole('banner').getByText(team)).toBeVisible()
  await page.goto('/portal/settings/security')
  await expect(page.getByText('You signed in with single sign-on')).toBeVisible()
  await lookAt(page, '/portal/settings/security', 'in a session of single sign-on')

  await owner.page.reload()
  await owner.page.getByRole('button', { name: 'Require for members' }).click()
  await expect(owner.page.getByRole('button', { name: 'Stop requiring single sign-on' })).toBeVisible()
  const other = await newMember()
  await portal.sql("INSERT INTO membership (account_id, member_id, role) VALUES ($1, $2, 'billing')", [owner.id, other.id])
  await portal.sql('UPDATE portal_session SET acting_account_id = $1 WHERE account_id = $2', [owner.id, other.id])
  await other.page.goto('/portal')
  await expect(other.page.getByText(`${team} requires single sign-on.`)).toBeVisible()
  await lookAt(other.page, '/portal', 'requires single sign-on')
  await other.page.getByRole('link', { name: 'Connect single sign-on' }).click()
  await expect(other.page.getByRole('button', { name: `Connect ${team}` })).toBeVisible()

  const fresh = await newPage()
  await fresh.goto(`/sign-in?organisation=${owner.publicId}`)
  await lookAt(fresh, '/sign-in', 'of an organisation')
  await fresh.getByRole('button', { name: `Continue with ${team}` }).click()
  await signInAtProvider(fresh, 'a-colleague')
  await fresh.waitForURL('**/portal')
  await expect(fresh.getByRole('banner').getByText(team)).toBeVisible()
  await fresh.goto('/sign-in?organisation=acc_0000000000000000')
  await expect(fresh.getByText("This organisation doesn't use single sign-on.")).toBeVisible()
})
