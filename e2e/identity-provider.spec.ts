import { expect, type Page } from '@playwright/test'
import { IdentityProvider } from '../tests/portal/support/identity-provider.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const provider = new IdentityProvider()
const test = portalTest((origin) => provider.open(origin))
test.afterAll(() => provider.close())

/** Signs in on the page of the identity provider. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`)
  await typeInto(page, page.getByLabel('Name'), name)
  await typeInto(page, page.getByLabel('Password'), 'any')
  await pressEnterOn(page, page.getByRole('button', { name: 'Sign in' }))
}

test('connects an identity provider and signs in with it', async ({ newMember, newPage, pageErrors }) => {
  pageErrors.otherOrigins.add(provider.issuer)
  const { page, email } = await newMember()
  const name = `connected-${email}`
  provider.people.set(name, { email, email_verified: true })
  await page.goto('/portal/settings/security')
  await pressEnterOn(page, page.getByRole('button', { name: 'Connect Example ID' }))
  await page.waitForURL('**/sign-in/connect**')
  await lookAt(page, '/sign-in/connect')
  await pressEnterOn(page, page.getByRole('button', { name: 'Continue with Example ID' }))
  await signInAtProvider(page, name)
  await expect(page.getByText('Account connected.')).toBeVisible()
  const other = await newPage()
  await other.goto('/sign-in?next=/portal/keys')
  await pressEnterOn(other, other.getByRole('button', { name: 'Continue with Example ID' }))
  await signInAtProvider(other, name)
  await other.waitForURL('**/portal/keys')
})

for (const javaScriptEnabled of [true, false]) {
  test(`signs up with an identity provider and accepts the licence (JavaScript: ${javaScriptEnabled})`, async ({ portal, newPage, pageErrors }) => {
    pageErrors.otherOrigins.add(provider.issuer)
    const [page, email] = [await newPage({ javaScriptEnabled }), portal.newEmail()]
    provider.people.set(email, { email, email_verified: true })
    await page.goto('/sign-up')
    if (javaScriptEnabled) await lookAt(page, '/sign-up', 'with provider')
    await pressEnterOn(page, page.getByRole('button', { name: 'Continue with Example ID' }))
    await signInAtProvider(page, email)
    await page.waitForURL('**/sign-up/finish')
    await expect(page.getByText(email)).toBeVisible()
    await pressEnterOn(page, page.getByRole('button', { name: 'Create account' }))
    await expect(page.getByText('Accept the Data Licence to continue.').first()).toBeVisible()
    if (javaScriptEnabled) await lookAt(page, '/sign-up/finish', 'refused')
    await tabTo(page, page.getByLabel('I accept the Data Licence'))
    await page.keyboard.press('Space')
    await pressEnterOn(page, page.getByRole('button', { name: 'Create account' }))
    await page.waitForURL('**/portal/welcome')
    await expect(page.getByText('20 credits added.')).toBeVisible()
    expect((await portal.call((await page.locator('[data-key]').textContent()) ?? '')).status).toBe(200)
  })
}
