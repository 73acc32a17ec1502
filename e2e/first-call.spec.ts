import { expect, type Page } from '@playwright/test'
import { goodPassword } from '../tests/portal/support/portal-fixture.ts'
import { runCli } from '../tests/published/support/run-cli.ts'
import { cites } from '../tests/requirements/verifies.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { startOwnSite } from './support/own-site.ts'
import type { Portal } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Maximum time from the home page to the first received call, for a scripted user. */
const onboardingMs = 30_000
const receivedTimeoutMs = 3_000

const keyOn = async (page: Page): Promise<string> => (await page.locator('[data-key]').textContent()) ?? ''
const getAccount = async (portal: Portal, email: string) =>
  (await portal.sql<{ id: string; email_verified_at: Date | null }>('SELECT id, email_verified_at FROM account WHERE email = $1', [email]))[0]

test('signs up and makes a first call within 30 seconds, then creates a live key, using only the keyboard', async ({ page, portal }) => {
  const email = portal.newEmail()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const started = performance.now()
  await page.goto('/')
  await pressEnterOn(page, page.getByRole('link', { name: 'Create account' }).first())
  await page.waitForURL('**/sign-up')
  await typeInto(page, page.getByLabel('Email address'), email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), goodPassword)
  await tabTo(page, page.getByRole('checkbox', { name: 'I accept the Data Licence' }))
  await page.keyboard.press('Space')
  await pressEnterOn(page, page.getByRole('button', { name: 'Create account' }))
  await page.waitForURL('**/sign-up/check-email')
  await page.goto(await portal.link(email))
  await pressEnterOn(page, page.getByRole('button', { name: 'Confirm email' }))
  await page.waitForURL('**/portal/welcome')
  await pressEnterOn(page, page.getByRole('button', { name: 'Copy test key' }))
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^svc_test_/)
  await tabTo(page, page.getByRole('radio', { name: 'curl' }))
  for (const language of ['JavaScript', 'Python']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: language })).toBeChecked()
  }
  expect((await portal.call(key)).status).toBe(200)
  await expect(page.getByText('First call received.')).toBeVisible({ timeout: receivedTimeoutMs })
  expect(performance.now() - started).toBeLessThan(onboardingMs)

  await page.getByRole('heading', { level: 1 }).click()
  await pressEnterOn(page, page.getByRole('button', { name: "I've saved this key" }))
  await pressEnterOn(page, page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Keys' }))
  await page.waitForURL('**/portal/keys')
  await pressEnterOn(page, page.getByRole('link', { name: 'Create key' }))
  await page.waitForURL('**/portal/keys/new')
  await tabTo(page, page.getByRole('radio', { name: 'Test' }))
  await page.keyboard.press('ArrowDown')
  await typeInto(page, page.getByLabel('Name'), 'Price page')
  await typeInto(page, page.getByLabel('Monthly cap in credits'), '50')
  await expect(page.getByText('Can spend up to 50 credits (£5) a month.')).toBeVisible()
  await pressEnterOn(page, page.getByRole('button', { name: 'Create live key' }))
  await expect(page.getByRole('heading', { name: 'Your live key' })).toBeVisible()
  await pressEnterOn(page, page.getByRole('button', { name: "I've saved this key" }))
  await pressEnterOn(page, page.getByRole('link', { name: 'Back to keys' }))
  await page.waitForURL('**/portal/keys')
})

test('every page from sign-up to a live call is accessible and fits the screen', async ({ page, portal }) => {
  const email = portal.newEmail()
  await page.goto('/sign-up')
  await lookAt(page, '/sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.locator('[role=alert]:focus')).toBeVisible()
  await expect(page).toHaveTitle(/^Error: Create account/)
  await lookAt(page, '/sign-up', 'refused')
  await page.getByRole('link', { name: 'Enter an email address.' }).click()
  await expect(page.getByLabel('Email address')).toBeFocused()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('I accept the Data Licence').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  // The error is shown above the form and next to the field, and the typed values are kept.
  await expect(page.getByText('Password must be 12 characters or more.')).toHaveCount(2)
  await expect(page.getByLabel('Email address')).toHaveValue(email)
  await expect(page.getByLabel('I accept the Data Licence')).toBeChecked()
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText("If this address can be used to sign up, we've sent it a link.")).toBeVisible()
  await lookAt(page, '/sign-up/check-email')

  const link = await portal.link(email)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Confirm email' })).toBeVisible()
  expect((await getAccount(portal, email))?.email_verified_at).toBeNull()
  await lookAt(page, '/confirm/[[...token]]')
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByText('20 credits added.')).toBeVisible()
  const key = await keyOn(page)
  await lookAt(page, '/portal/welcome')
  for (const language of ['JavaScript', 'Python', 'curl']) {
    await page.getByText(language, { exact: true }).click()
    await expect(page.locator('pre:visible')).toContainText(`Bearer ${key}`)
  }

  // A call with a misspelt parameter fails without a charge: the error suggests the right name, and the page links to help.
  expect((await portal.call(key, '/rates?tpye=easy-access')).body).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('type') })
  await expect(page.getByText('We received your call, but it failed.')).toBeVisible({ timeout: receivedTimeoutMs })
  await lookAt(page, '/portal/welcome', 'refused')
  expect((await portal.call(key)).body['meta']).toMatchObject({ sample: true, creditsCharged: 0 })
  await expect(page.getByText('First call received.')).toBeVisible({ timeout: receivedTimeoutMs })
  await expect(page.getByText(/^GET \/rates, 200, <?\d+ ms, 0 credits\./)).toBeVisible()
  await lookAt(page, '/portal/welcome', 'received')
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await seeInLog(page)
  await page.goto(link)
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await lookAt(page, '/confirm/[[...token]]', 'used')
  await seeOverview(page)
  await goLive(portal, page, email)
})

/** From the welcome page, opens the request log entry of the received call. */
async function seeInLog(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'View request' }).click()
  await page.waitForURL('**/portal/requests/req_*')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await expect(page.getByText(id, { exact: true }).first()).toBeVisible()
  await lookAt(page, '/portal/requests/[requestId]')
  await page.getByRole('link', { name: 'Requests' }).first().click()
  await page.waitForURL('**/portal/requests')
  await page.getByLabel('Request').fill(id)
  await page.getByLabel('Request').press('Enter')
  await page.waitForURL(`**/portal/requests?*search=${id}*`)
  const rows = page.getByRole('table').getByRole('link')
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveAttribute('href', new RegExp(id))
}

async function seeOverview(page: Page): Promise<void> {
  await page.goto('/portal')
  // The two test calls are listed, but don't count towards the daily limit.
  await expect(page.getByRole('table').last().getByRole('link')).toHaveCount(2)
  await expect(page.getByText('Live calls today (UTC)').locator('..').getByText('of 1,000')).toBeVisible()
  await expect(page.getByText("We're reviewing your account. Test keys work now.")).toBeVisible()
  await lookAt(page, '/portal', 'review')
}

/** Creates a live key before approval, approves the account, and makes the first charged call. */
async function goLive(portal: Portal, page: Page, email: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByLabel('Live').check()
  await expect(page.getByText("We're reviewing your account. This key will work once your account is approved. We'll email you when it is.")).toBeVisible()
  await page.getByLabel('Name').fill('Price page')
  await page.getByLabel('Monthly cap in credits').fill('100')
  await lookAt(page, '/portal/keys/new', 'live')
  await page.getByRole('button', { name: 'Create live key' }).click()
  await expect(page.getByRole('heading', { name: 'Your live key' })).toBeVisible()
  const live = await keyOn(page)
  await lookAt(page, '/portal/keys/new', 'live key')
  expect(await portal.call(live)).toMatchObject({ status: 403, body: { error: 'account_blocked', reason: 'review_pending' } })
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.getByRole('link', { name: 'Back to keys' }).click()
  await page.getByRole('link', { name: 'Price page' }).click()
  await expect(page.getByText("We're reviewing your account.")).toBeVisible()
  await lookAt(page, '/portal/keys/[id]', 'review')

  await runCli(portal.databaseUrl, 'account', 'approve', '--account', email, '--json')
  const { status, body } = await portal.call(live, '/rates?limit=1')
  expect([status, body['meta']]).toMatchObject([200, { sample: false, creditsCharged: 1, creditsBalance: 19 }])
  await page.goto('/portal')
  await expect(page.getByText("We're reviewing your account.")).toHaveCount(0)
  await expect(page.getByText('19 credits · £1.90').first()).toBeVisible()
  await lookAt(page, '/portal')
}

test("the TypeScript client works on a customer's page through a proxy that adds the key", async ({ newMember, newPage, pageErrors, portal }) => {
  cites('clients/browser')
  const { key } = await portal.liveKey(await newMember({ credits: 5 }))
  const site = await startOwnSite(portal.origin, key)
  try {
    pageErrors.otherOrigins.add(site.origin)
    const page = await newPage()
    await page.goto(site.origin)
    await expect(page.getByRole('listitem')).toHaveCount(3)
    await expect(page.getByRole('status')).toHaveText('3 credits, then 0 for the same rows; aborted; invalid_request')
    expect(await page.content()).not.toContain(key)
  } finally {
    site.close()
  }
})
