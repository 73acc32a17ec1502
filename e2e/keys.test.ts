import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { keyPlaceholder, testKeyItem } from '#components/docs/test-key.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

const keyOn = async (page: Page): Promise<string> => (await page.locator('[data-key]').textContent()) ?? ''
const getError = async (key: string) => (await portal.call(key)).body['error']

/** Creates a key in the portal and returns it from the panel that shows it once. */
async function makeKey(page: Page, mode: 'Test' | 'Live', name: string): Promise<string> {
  await page.goto('/portal/keys/new')
  await page.getByLabel(mode).check()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: /^Create (test|live) key$/ }).click()
  await page.getByRole('heading', { name: `Your ${mode.toLowerCase()} key` }).waitFor()
  return keyOn(page)
}

/** Returns the page's HTML and the browser's storage. */
const getContent = (page: Page) => page.evaluate(() => document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage))

test('warns before a new key is lost, and then keeps it only in this tab', async () => {
  const { page } = await portal.member()
  await page.goto('/portal/keys')
  await page.getByText('No keys yet. Test keys are free and return sample data.').waitFor()
  await lookAt(page, '/portal/keys', 'empty')
  await page.goto('/portal/keys/new')
  await lookAt(page, '/portal/keys/new')
  await page.getByRole('button', { name: 'Create test key' }).click()
  await page.getByRole('alert').getByRole('link', { name: 'Enter a name for this key.' }).waitFor()
  await lookAt(page, '/portal/keys/new', 'refused')
  const key = await makeKey(page, 'Test', 'Laptop')
  await lookAt(page, '/portal/keys/new', 'test key')
  for (const language of ['curl', 'JavaScript', 'Python']) {
    await page.getByText(language, { exact: true }).click()
    expect(await page.locator('pre:visible').textContent()).toContain(`Bearer ${key}`)
  }
  // The button has the colour of a primary button.
  const saved = page.getByRole('button', { name: "I've saved this key" })
  expect(await saved.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(15, 91, 68)')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 500)
  expect(await keyOn(page)).toBe(key)
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  expect(await keyOn(page)).toBe(key)

  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.getByText('Done.').waitFor()
  expect(await page.evaluate((item) => sessionStorage.getItem(item), testKeyItem)).toBe(key)
  await page.goto('/docs')
  await page.locator('[data-key-slot]', { hasText: key }).first().waitFor()
  const tab = await page.context().newPage()
  await tab.goto('/docs')
  await tab.locator('[data-key-slot]', { hasText: keyPlaceholder }).first().waitFor()
  expect(await getContent(tab)).not.toContain(key)

  const live = await makeKey(page, 'Live', 'Server')
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.getByText('Done.').waitFor()
  expect(await getContent(page)).not.toContain(live)
  await page.goto('/portal/keys')
  await page.getByRole('row', { name: 'Server' }).getByText('Live', { exact: true }).waitFor()
  await lookAt(page, '/portal/keys')
}, 60_000)

test.each([true, false])('keeps both keys working during an overlap and shows the new one (JavaScript: %s)', async (javaScriptEnabled) => {
  const member = await portal.member({ view: { javaScriptEnabled } })
  const { page } = member
  const old = await portal.liveKey(member)
  await page.goto(`/portal/keys/${old.id}`)
  await page.getByText('Never used.').first().waitFor()
  if (javaScriptEnabled) await lookAt(page, '/portal/keys/[id]')
  await tabTo(page, page.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await page.getByLabel('In 6 hours').isChecked()).toBe(true)
  await pressEnterOn(page, page.getByRole('button', { name: 'Rotate key' }))
  await page.getByText('Your key is shown once.').waitFor()
  const next = await keyOn(page)
  expect(next).toMatch(/^svc_live_/)
  expect(next).not.toBe(old.key)
  expect(await page.locator('pre:visible').textContent()).toContain(`Bearer ${next}`)
  await page.getByText(/^Ending \d\d:\d\d UTC$/).waitFor()
  if (javaScriptEnabled) await lookAt(page, '/portal/keys/[id]', 'rotated')
  expect([(await portal.call(old.key)).status, (await portal.call(next)).status]).toEqual([200, 200])
  expect(await page.getByRole('button', { name: 'Revoke key' }).count()).toBe(1)
  await page.goto('/portal/keys')
  const ending = page.getByRole('row', { name: /Ending \d\d:\d\d/ })
  expect(await ending.getByRole('cell').nth(4).textContent()).toMatch(/\d\d:\d\d UTC$/)
  if (!javaScriptEnabled) return
  await lookAt(page, '/portal/keys', 'ending')
  const lines = await page
    .locator('th code')
    .evaluateAll((hints) => hints.map((hint) => hint.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(hint).lineHeight)))
  expect(lines).toEqual([1, 1])
})

test.each([true, false])('rejects the old key immediately after a rotation without overlap (JavaScript: %s)', async (javaScriptEnabled) => {
  const member = await portal.member({ view: { javaScriptEnabled } })
  const { page } = member
  const old = await portal.liveKey(member)
  await page.goto(`/portal/keys/${old.id}`)
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText('Your key is shown once.').waitFor()
  const next = await keyOn(page)
  expect([await getError(old.key), (await portal.call(next)).status]).toEqual(['key_revoked', 200])
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Revoke key' }).count()).toBe(0)
  if (!javaScriptEnabled) return
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.getByRole('link', { name: 'View new key' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(await getContent(page)).not.toContain(next)
})

test('revokes a live key after its name is entered, and rejects the next call', async () => {
  const [member, name] = [await portal.member(), 'Price page']
  const { page } = member
  const { id, key } = await portal.liveKey(member, { name })
  expect((await portal.call(key)).status).toBe(200)
  await page.goto(`/portal/keys/${id}`)
  await page.getByText("Once you revoke this key, calls with it fail immediately. You can't undo this.").waitFor()
  await page.getByLabel("Type the key's name").fill('Something else')
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('alert').getByText(`Type the key's name: ${name}.`).waitFor()
  await lookAt(page, '/portal/keys/[id]', 'refused')
  await typeInto(page, page.getByLabel("Type the key's name"), name)
  await pressEnterOn(page, page.getByRole('button', { name: 'Revoke key' }))
  await page.getByRole('status').getByText(`Revoked ${name}. Calls with it return 403.`).waitFor()
  expect(await portal.call(key)).toMatchObject({ status: 403, body: { error: 'key_revoked' } })
  expect(await page.getByRole('row', { name }).getByText('Revoked', { exact: true }).isVisible()).toBe(true)
  await lookAt(page, '/portal/keys', 'revoked')
})

test('rejects a key that has reached its cap, and shows when the cap resets', async () => {
  const member = await portal.member()
  const { page } = member
  const { id, key } = await portal.liveKey(member, { spendCapCredits: 3 })
  expect((await portal.call(key, '/rates?limit=3')).body['meta']).toMatchObject({ creditsCharged: 3 })
  expect(await portal.call(key, '/rates?limit=1')).toMatchObject({ status: 402, body: { error: 'insufficient_credits', reason: 'spend_cap' } })
  await page.goto('/portal/keys')
  await page.getByText('3 of 3 credits').waitFor()
  await page.getByText('Cap reached', { exact: true }).waitFor()
  await page.goto(`/portal/keys/${id}`)
  await page.getByText(/^This key has reached its cap\. Its calls are rejected until 1 \w+ \d{4}, 00:00 UTC\./).waitFor()
  await lookAt(page, '/portal/keys/[id]', 'cap reached')
})

test("returns 404 for another account's key", async () => {
  const [one, two] = [await portal.member(), await portal.member()]
  const { id } = await portal.liveKey(one)
  const answers: (string | null)[][] = []
  for (const unknown of [id, 'key_0000000000000000']) {
    const response = await two.page.goto(`/portal/keys/${unknown}`)
    expect(response?.status()).toBe(404)
    await two.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    answers.push([await two.page.title(), await two.page.locator('main').textContent()])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]).toBe('Page not found – Savings Rates API')
  await lookAt(two.page, '/portal/not-found')
  // The browser logs an error for the 404 response, which is expected.
  expect(site.faults.splice(0).filter((fault) => !/Failed to load resource.*404/.test(fault))).toEqual([])
})
