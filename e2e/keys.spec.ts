import { expect, type Page } from '@playwright/test'
import { keyPlaceholder, testKeyItem } from '#components/docs/test-key.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { expectAccessible, lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

const keyOn = async (page: Page): Promise<string> => (await page.locator('[data-key]').textContent()) ?? ''

/** Creates a key in the portal and returns it from the panel that shows it once. */
async function makeKey(page: Page, mode: 'Test' | 'Live', name: string): Promise<string> {
  await page.goto('/portal/keys/new')
  await page.getByRole('radio', { name: mode }).check()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: /^Create (test|live) key$/ }).click()
  await expect(page.getByRole('heading', { name: `Your ${mode.toLowerCase()} key` })).toBeVisible()
  return keyOn(page)
}

/** Returns the page's HTML and the browser's storage. */
const getContent = (page: Page) => page.evaluate(() => document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage))

test('warns before leaving an unsaved key, and remembers a saved test key only in this tab', async ({ newMember }) => {
  const { page } = await newMember()
  await page.goto('/portal/keys')
  await expect(page.getByText('No keys yet. Test keys are free and return sample data.')).toBeVisible()
  await lookAt(page, '/portal/keys', 'empty')
  await page.goto('/portal/keys/new')
  await lookAt(page, '/portal/keys/new')
  await page.getByRole('button', { name: 'Create test key' }).click()
  await expect(page.getByRole('alert').getByRole('link', { name: 'Enter a name for this key.' })).toBeVisible()
  await page.getByRole('radio', { name: 'Live' }).check()
  await page.getByLabel('Allowed IPs').fill('10.0.0.1\nnonsense')
  await page.getByRole('button', { name: 'Create live key' }).click()
  await expect(page.getByText('Line 2 is not an IP address or range.')).toHaveCount(2)
  await expect(page.getByLabel('Allowed IPs')).toHaveValue(/nonsense/)
  await page.getByRole('radio', { name: 'Test' }).check()
  await lookAt(page, '/portal/keys/new', 'refused')
  const key = await makeKey(page, 'Test', 'Laptop')
  await lookAt(page, '/portal/keys/new', 'test key')
  for (const language of ['curl', 'JavaScript', 'Python']) {
    await page.getByText(language, { exact: true }).click()
    await expect(page.locator('pre:visible')).toContainText(`Bearer ${key}`)
  }
  // The button has the colour of a primary button.
  const saved = page.getByRole('button', { name: "I've saved this key" })
  await expect(saved).toHaveCSS('background-color', 'rgb(15, 91, 68)')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 500)
  await expect(page.locator('[data-key]')).toHaveText(key)
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await expect(page.locator('[data-key]')).toHaveText(key)

  await page.getByRole('button', { name: "I've saved this key" }).click()
  await expect(page.getByText('Done.')).toBeVisible()
  expect(await page.evaluate((item) => sessionStorage.getItem(item), testKeyItem)).toBe(key)
  await page.goto('/docs')
  await expect(page.locator('[data-key-slot]:visible', { hasText: key }).first()).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/docs')
  await expect(tab.locator('[data-key-slot]:visible', { hasText: keyPlaceholder }).first()).toBeVisible()
  expect(await getContent(tab)).not.toContain(key)

  const live = await makeKey(page, 'Live', 'Server')
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await expect(page.getByText('Key saved', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText('Done.')).toBeVisible()
  expect(await getContent(page)).not.toContain(live)
  await page.goto('/portal/keys')
  await expect(page.getByRole('row', { name: 'Server' }).getByText('Live', { exact: true })).toBeVisible()
  await lookAt(page, '/portal/keys')
  await page.getByRole('button', { name: 'Actions for Server' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Rotate', 'Edit', 'Revoke'])
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('button', { name: 'Edit key' })).toHaveCount(0)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Server')
})

test('keeps both keys working during an overlap and shows the new key', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const old = await portal.liveKey(member)
  await page.goto(`/portal/keys/${old.id}`)
  await expect(page.getByText('Never used.').first()).toBeVisible()
  await lookAt(page, '/portal/keys/[id]')
  await tabTo(page, page.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByLabel('In 6 hours')).toBeChecked()
  await pressEnterOn(page, page.getByRole('button', { name: 'Rotate key' }))
  await expect(page.getByText('Your key is shown once.')).toBeVisible()
  const next = await keyOn(page)
  expect(next).toMatch(/^svc_live_/)
  expect(next).not.toBe(old.key)
  await expect(page.locator('pre:visible')).toContainText(`Bearer ${next}`)
  await expect(page.getByText(/^expires \d+ \w+ \d{4}, \d\d:\d\d UTC$/)).toBeVisible()
  await expect(page.getByText('This key was replaced by a new one. It works until')).toBeVisible()
  await lookAt(page, '/portal/keys/[id]', 'rotated')
  expect([(await portal.call(old.key)).status, (await portal.call(next)).status]).toEqual([200, 200])
  await expect(page.getByRole('button', { name: 'Revoke key' })).toHaveCount(1)
  await page.goto('/portal/keys')
  const ending = page.getByRole('row', { name: /Replaced expires \d+ \w+ \d{4}, \d\d:\d\d/ })
  await expect(ending.getByRole('cell').nth(4)).toContainText(/\d\d:\d\d UTC$/)
  await lookAt(page, '/portal/keys', 'ending')
  const lines = await page
    .locator('th code')
    .evaluateAll((hints) => hints.map((hint) => hint.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(hint).lineHeight)))
  expect(lines).toEqual([1, 1])
})

test('rejects the old key immediately after a rotation without overlap', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const old = await portal.liveKey(member)
  await page.goto(`/portal/keys/${old.id}`)
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await expect(page.getByText('Your key is shown once.')).toBeVisible()
  const next = await keyOn(page)
  expect([(await portal.call(old.key)).body['error'], (await portal.call(next)).status]).toEqual(['key_revoked', 200])
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Revoke key' })).toHaveCount(0)
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.getByRole('link', { name: 'View new key' }).click()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  expect(await getContent(page)).not.toContain(next)
})

test('shows a new live key with a notice that the account is in review and a link to create a test key', async ({ newMember }) => {
  const { page } = await newMember({ isApproved: false })
  await makeKey(page, 'Live', 'Shop')
  const note = page.getByRole('region', { name: 'Notice' }).filter({ hasText: 'This key will work once your account is approved' })
  await expect(note).toContainText("This key will work once your account is approved. We'll email you when it is.")
  await expect(note).toContainText(/Your account has been in review since \d+ \w+ \d{4}\. Reviews usually take one working day\./)
  await lookAt(page, '/portal/keys/new', 'in review')
  const link = note.getByRole('link', { name: 'Create a test key' })
  await page.getByRole('button', { name: "I've saved this key" }).focus()
  page.once('dialog', (dialog) => dialog.accept())
  await link.click()
  await page.waitForURL('**/portal/keys/new?mode=test')
  await expect(page.getByRole('radio', { name: 'Test' })).toBeChecked()
  await makeKey(page, 'Test', 'Laptop')
})

test('revokes a live key after its name and last four characters are entered, and rejects the next call', async ({ portal, newMember }) => {
  const [member, name] = [await newMember(), 'Price page']
  const { page } = member
  const { id, key } = await portal.liveKey(member, { name })
  expect((await portal.call(key)).status).toBe(200)
  await page.goto(`/portal/keys/${id}`)
  await expect(page.getByText("Once you revoke this key, calls with it fail immediately. You can't undo this.")).toBeVisible()
  // The name alone doesn't identify the key, because a rotation keeps it.
  for (const text of ['wrong', name, key.slice(-4)]) {
    await page.getByLabel("Type the key's name").fill(text)
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await expect(page.getByRole('alert').getByText(`Type the key's name and last four characters: ${name} ${key.slice(-4)}.`)).toBeVisible()
  }
  expect((await portal.call(key)).status).toBe(200)
  await lookAt(page, '/portal/keys/[id]', 'refused')
  await typeInto(page, page.getByLabel("Type the key's name"), `${name} ${key.slice(-4)}`)
  await pressEnterOn(page, page.getByRole('button', { name: 'Revoke key' }))
  await expect(page.getByRole('status').getByText(`Revoked ${name}. Calls with it return 403.`)).toBeVisible()
  expect(await portal.call(key)).toMatchObject({ status: 403, body: { error: 'key_revoked' } })
  await expect(page.getByRole('row', { name }).getByText('Revoked', { exact: true })).toBeVisible()
  await lookAt(page, '/portal/keys', 'revoked')
})

test('rejects calls with a key that has reached its cap, and shows when the cap resets', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const { id, key } = await portal.liveKey(member, { spendCapCredits: 3 })
  expect((await portal.call(key, '/rates?limit=3')).body['meta']).toMatchObject({ creditsCharged: 3 })
  expect(await portal.call(key, '/rates?limit=1')).toMatchObject({ status: 402, body: { error: 'insufficient_credits', reason: 'spend_cap' } })
  await page.goto('/portal/keys')
  await expect(page.getByText('3 of 3 credits')).toBeVisible()
  await expect(page.getByText('Cap reached', { exact: true })).toBeVisible()
  await page.goto(`/portal/keys/${id}`)
  await expect(page.getByText(/^This key has reached its cap\. Its calls are rejected until 1 \w+ \d{4}, 00:00 UTC\./)).toBeVisible()
  await lookAt(page, '/portal/keys/[id]', 'cap reached')
})

test("returns 404 for another account's key", async ({ portal, newMember, pageErrors }) => {
  // The browser logs an error for each 404 response.
  pageErrors.expect(/Failed to load resource.*404/)
  const [one, two] = [await newMember(), await newMember()]
  const { id } = await portal.liveKey(one)
  const answers: (string | null)[][] = []
  for (const unknown of [id, 'key_0000000000000000']) {
    const response = await two.page.goto(`/portal/keys/${unknown}`)
    expect(response?.status()).toBe(404)
    await expect(two.page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    answers.push([await two.page.title(), await two.page.locator('main').textContent()])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]).toBe('Page not found – Savings Rates Data API')
  await lookAt(two.page, '/portal/not-found')
})
