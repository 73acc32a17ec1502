import { expect, type Page } from '@playwright/test'
import { openAccountMenu, signOut } from './support/account-menu.ts'
import { expectAccessible, lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const chosen = (page: Page) => dialog(page).locator('[role=option][aria-selected=true]')

/** Opens the palette with the keyboard and types. */
async function searchFor(page: Page, text: string): Promise<void> {
  // Retries, because the page's script may not have loaded yet.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(dialog(page).getByRole('combobox')).toBeFocused({ timeout: 3_000 })
  }).toPass({ timeout: 15_000 })
  await page.keyboard.type(text)
}

test('finds guides, endpoints and errors from a public page, by keyboard', async ({ page }) => {
  await page.goto('/')
  await searchFor(page, 'webhook signature')
  await expect(chosen(page)).toContainText('Webhooks')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/docs/webhooks#verify-the-signature')

  await searchFor(page, 'switch offers')
  await expect(chosen(page)).toContainText('GET /switch-offers')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/reference/switch-offers')

  await searchFor(page, 'insufficient_cre')
  await page.getByRole('option', { name: 'insufficient_credits' }).click()
  await expect(page).toHaveURL('/docs/errors/insufficient_credits')

  await searchFor(page, 'credits')
  const headings = dialog(page).locator('[cmdk-group-heading]')
  await expect(headings.filter({ hasText: 'Errors' })).toBeVisible()
  const names = await headings.allTextContents()
  expect(names.filter((name) => ['Guides', 'Endpoints', 'Errors'].includes(name))).toEqual(['Guides', 'Endpoints', 'Errors'])
})

test('opens with a slash outside fields, and Escape returns the focus', async ({ page }) => {
  await page.goto('/reference/rates-list')
  const field = page.getByLabel('provider', { exact: true })
  await field.focus()
  await page.keyboard.press('/')
  await expect(field).toHaveValue('/')
  await expect(dialog(page)).toBeHidden()

  const link = page.getByRole('link', { name: 'Prices' }).first()
  await link.focus()
  await page.keyboard.press('/')
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(link).toBeFocused()

  const button = page.getByRole('button', { name: 'Search', exact: true })
  await button.click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})

test('the slash shortcut can be turned off', async ({ page }) => {
  await page.goto('/docs')
  await searchFor(page, 'shortcut')
  await page.getByRole('option', { name: 'Turn off the / shortcut' }).click()
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await expect(dialog(page).getByRole('combobox')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
})

test('shows a message if nothing matches', async ({ page }) => {
  await page.goto('/docs')
  await searchFor(page, 'zebra')
  await expect(dialog(page).getByText('No results for “zebra”.')).toBeVisible()
  await expect(dialog(page).getByRole('option')).toHaveCount(0)
})

test("opens a member's pages, keys and requests", async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const { id, key } = await portal.liveKey(member, { name: 'Price page' })
  const { body } = await portal.call(key)
  const requestId = String((body['meta'] as { requestId: string }).requestId)
  await page.goto('/portal')
  await searchFor(page, 'price pa')
  await page.getByRole('option', { name: 'Price page' }).click()
  await expect(page).toHaveURL(`/portal/keys/${id}`)

  await searchFor(page, 'top up')
  await expect(chosen(page)).toContainText('Top up')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/portal/billing/top-up')

  await searchFor(page, ` ${requestId} `)
  await expect(chosen(page)).toContainText('Open request')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/portal/requests/${requestId}`)

  await page.goto('/docs')
  await searchFor(page, 'price pa')
  await expect(page.getByRole('option', { name: 'Price page' })).toBeVisible()
})

test("finds a customer's request from the admin area", async ({ portal, newMember, newAdministrator }) => {
  const member = await newMember()
  const { body } = await portal.call((await portal.liveKey(member)).key)
  const requestId = String((body['meta'] as { requestId: string }).requestId)
  const { page } = await newAdministrator()
  await page.goto('/admin')
  await searchFor(page, 'audit')
  await expect(chosen(page)).toContainText('Audit log')
  await page.getByRole('combobox').fill(requestId)
  await expect(chosen(page)).toContainText('Open request')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/accounts/${member.publicId}/requests/${requestId}`)
})

test('the account menu shows who is signed in, changes the theme and signs out', async ({ newMember }) => {
  const { page, email } = await newMember()
  await page.goto('/portal')
  await openAccountMenu(page)
  const menu = page.getByRole('menu')
  await expect(menu).toContainText(email)
  await lookAt(page, '/portal', 'account menu')
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeFocused()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Account menu' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'System' }).press('Enter')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  await page.keyboard.press('Escape')
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/portal/settings')
  await signOut(page)
  await page.waitForURL('**/sign-in**')
})

test('search and account menu work on a phone', async ({ newMember }) => {
  const { page } = await newMember({}, phone)
  await page.goto('/portal')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await dialog(page).getByRole('combobox').fill('usage')
  await page.getByRole('option', { name: 'Usage' }).first().click()
  await expect(page).toHaveURL('/portal/usage')
  await openAccountMenu(page)
  await expectAccessible(page)
})

test('an administrator finds admin pages by name, and an account by the start of its email', async ({ newMember, newAdministrator }) => {
  const [{ page }, member] = [await newAdministrator(), await newMember()]
  await page.goto('/admin')
  await searchFor(page, 'accounts')
  await expect(chosen(page)).toContainText('Accounts')
  await page.reload()
  await searchFor(page, member.email.split('@')[0] ?? '')
  await dialog(page).getByRole('option', { name: member.email }).click()
  await expect(page).toHaveURL(`/admin/accounts/${member.publicId}`)
})

test('keeps what is typed before its code has loaded', async ({ page }) => {
  await page.goto('/docs')
  await page.route('**/_next/static/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  // Repeats the shortcut until the page's script handles it, and not again: the palette would close.
  const press = () => page.evaluate(() => !document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true })))
  await expect.poll(press).toBe(true)
  await page.keyboard.type('a/b')
  await expect(dialog(page).getByRole('combobox')).toHaveValue('a/b')
})
