import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { goodPassword, type PortalFixture } from '../tests/portal/support/portal-fixture.ts'
import { runCli } from '../tests/published/support/run-cli.ts'
import { codeAt, stepAt } from '../tests/support/totp.ts'
import { pressEnterOn, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { signIn } from './support/portal.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

const newPassword = 'seven blue whales sang'

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('/portal')
  await expect(page).toHaveURL(/\/sign-in(\?|$)/)
}

test('resets a forgotten password by email and signs out all devices', async ({ page, portal, newMember }) => {
  const { page: other, email } = await newMember()
  await page.goto('/sign-in')
  await lookAt(page, '/sign-in')
  await typeInto(page, page.getByLabel('Email address'), email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'not the right password')
  await pressEnterOn(page, page.getByRole('button', { name: 'Sign in' }))
  await expect(page.getByRole('alert').getByText('Email address or password is not correct.')).toBeVisible()
  await lookAt(page, '/sign-in', 'refused')
  await pressEnterOn(page, page.getByRole('link', { name: 'Forgot your password?' }))
  await page.waitForURL('**/reset')
  await lookAt(page, '/reset')
  await typeInto(page, page.getByLabel('Email address'), email)
  await pressEnterOn(page, page.getByRole('button', { name: 'Send reset link' }))
  await expect(page.getByText("If an account exists for this address, we've sent a link.")).toBeVisible()
  await lookAt(page, '/reset', 'sent')
  const link = await portal.link(email)
  await page.goto(link)
  await lookAt(page, '/reset/[token]')
  await typeInto(page, page.getByLabel('New password', { exact: true }), 'short')
  await pressEnterOn(page, page.getByRole('button', { name: 'Save password' }))
  await expect(page.getByRole('alert').getByText('Password must be 12 characters or more.')).toBeVisible()
  await typeInto(page, page.getByLabel('New password', { exact: true }), newPassword)
  await pressEnterOn(page, page.getByRole('button', { name: 'Save password' }))
  await expect(page.getByText("You've been signed out on all devices.")).toBeVisible()
  await expectSignedOut(other)
  await signIn(page, email)
  await expect(page.getByRole('alert').getByText('Email address or password is not correct.')).toBeVisible()
  await signIn(page, email, newPassword)
  await page.waitForURL('**/portal')
  await page.goto(link)
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await lookAt(page, '/reset/[token]', 'used')
})

/** Chooses the browser's time zone with the button that appears once the page's script has run. */
async function chooseOwnZone(page: Page): Promise<void> {
  const times = page.getByRole('region', { name: 'Times' })
  await pressEnterOn(page, times.getByRole('button', { name: 'Use browser time zone: Asia/Kolkata' }))
  await expect(times.getByLabel('Time zone')).toHaveValue('Asia/Kolkata')
  await pressEnterOn(page, times.getByRole('button', { name: 'Save time zone' }))
  await expect(page.getByText('Time zone saved.')).toBeVisible()
  await expect(times.getByText("This is your browser's time zone.")).toBeVisible()
  await expect(times.getByRole('option', { name: 'Kolkata (GMT+5:30)' })).toBeAttached()
  await lookAt(page, '/portal/settings', 'zone')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click()
  const time = page.getByRole('region', { name: 'Activity' }).getByRole('time').first()
  await expect(time.getByText('GMT+5:30')).toBeVisible()
  await expect(time).toHaveAttribute('title', / UTC$/)
  await lookAt(page, '/portal/settings/account')
}

test('sets up two-factor sign-in, and accepts each authenticator code and recovery code only once', async ({ portal, newMember, newPage }) => {
  const { page, email, id } = await newMember({}, { timezoneId: 'Asia/Kolkata' })
  await page.goto('/portal/settings')
  await lookAt(page, '/portal/settings')
  await chooseOwnZone(page)
  await page.goto('/portal/settings/notifications')
  await lookAt(page, '/portal/settings/notifications')
  await page.goto('/portal/settings/security')
  await lookAt(page, '/portal/settings/security')
  const factor = page.getByRole('region', { name: 'Two-factor sign-in' })
  await portal.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes' WHERE account_id = $1", [id])
  await pressEnterOn(page, factor.getByRole('button', { name: 'Set up two-factor sign-in' }))
  await typeInto(page, factor.getByLabel('Your password', { exact: true }), 'not the right password')
  await pressEnterOn(page, factor.getByRole('button', { name: 'Confirm and continue' }))
  await expect(factor.getByRole('alert').getByText('Current password is not correct.')).toBeVisible()
  await lookAt(page, '/portal/settings/security', 'refused')
  await typeInto(page, factor.getByLabel('Your password', { exact: true }), goodPassword)
  await pressEnterOn(page, factor.getByRole('button', { name: 'Confirm and continue' }))
  await expect(factor.getByRole('img', { name: 'QR code for two-factor sign-in' })).toBeVisible()
  await lookAt(page, '/portal/settings/security', 'second factor')
  const secret = ((await factor.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await typeInto(page, factor.getByLabel('6-digit code'), codeAt(secret, stepAt(Date.now())))
  await pressEnterOn(page, factor.getByRole('button', { name: 'Turn on' }))
  await expect(factor.getByText('Two-factor sign-in is on.')).toBeVisible()
  await expect(factor.getByRole('listitem')).toHaveCount(10)
  const codes = await factor.getByRole('listitem').allTextContents()
  await lookAt(page, '/portal/settings/security', 'recovery codes')
  const [file] = await Promise.all([page.waitForEvent('download'), factor.getByRole('button', { name: 'Download' }).click()])
  expect(file.suggestedFilename()).toBe('recovery-codes.txt')
  expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toEqual(codes)
  const placeOfDevices = () => page.getByRole('heading', { name: 'Devices' }).evaluate((heading) => heading.getBoundingClientRect().top + scrollY)
  const before = await placeOfDevices()
  await pressEnterOn(page, factor.getByRole('button', { name: "I've saved these codes" }))
  await expect(factor.getByText('On. 10 recovery codes left.')).toBeVisible()
  // The buttons below the codes must not move under the pointer.
  expect(Math.abs((await placeOfDevices()) - before)).toBeLessThan(2)

  const elsewhere = await newPage()
  const enter = async (code: string) => {
    await signIn(elsewhere, email)
    await elsewhere.waitForURL('**/sign-in/code')
    await typeInto(elsewhere, elsewhere.getByLabel('Code'), code)
    await pressEnterOn(elsewhere, elsewhere.getByRole('button', { name: 'Sign in' }))
  }
  await enter('000000')
  await expect(elsewhere.getByRole('alert').getByText('Code is not correct.')).toBeVisible()
  await lookAt(elsewhere, '/sign-in/code', 'refused')
  await expectSignedOut(elsewhere)
  // Uses the next code: the current one may have been used for the set-up, and no code is accepted twice.
  await enter(codeAt(secret, stepAt(Date.now()) + 1))
  await elsewhere.waitForURL('**/portal')
  await elsewhere.context().clearCookies()
  await enter(codes[0] ?? '')
  await elsewhere.waitForURL('**/portal')
  await elsewhere.goto('/portal/settings/security')
  await expect(elsewhere.getByText('On. 9 recovery codes left.')).toBeVisible()
  await elsewhere.goto('/sign-in/confirm')
  await lookAt(elsewhere, '/sign-in/confirm')
  await elsewhere.context().clearCookies()
  await enter(codes[0] ?? '')
  await expect(elsewhere.getByRole('alert').getByText('Code is not correct.')).toBeVisible()
})

test('signs out another device', async ({ newMember, newPage }) => {
  const { page, email } = await newMember()
  const other = await newPage(phone)
  await signIn(other, email)
  await other.waitForURL('**/portal')
  await page.goto('/portal/settings/security')
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await pressEnterOn(page, devices.getByRole('button', { name: 'Sign out', exact: true }))
  await expect(page.getByText('Device signed out.')).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expectSignedOut(other)
  await page.goto('/portal')
  await expect(page).toHaveURL('/portal')
})

async function publishLicence(portal: PortalFixture, label: string): Promise<void> {
  await portal.sql(
    `INSERT INTO licence_version (label, published_at, grace_ends_at, changes) VALUES ($1, now() - interval '1 hour', now() + interval '1 day', 'Attribution may be shorter.')`,
    [label],
  )
  await portal.sql('UPDATE service_state SET version = version + 1')
}

test('a customer can accept a new licence version before and after the grace period ends', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const { key } = await portal.liveKey(member)
  await publishLicence(portal, 'v2098-01')
  try {
    await page.goto('/portal')
    await expect(page.getByText(/Calls stop on \d+ \w+ \d{4} unless you accept\./)).toBeVisible()
    await pressEnterOn(page, page.getByRole('link', { name: 'Read what changed' }))
    await page.waitForURL('**/portal/licence')
    await expect(page.getByText('Attribution may be shorter.')).toBeVisible()
    await lookAt(page, '/portal/licence', 'due')
    await portal.sql(`UPDATE licence_version SET grace_ends_at = now() - interval '1 minute' WHERE label = 'v2098-01'`)
    await portal.sql('UPDATE service_state SET version = version + 1')
    expect(await portal.call(key)).toMatchObject({ status: 403, body: { error: 'licence_reacceptance_required' } })
    await page.goto('/portal')
    await expect(page.getByText(/Calls stopped on /)).toBeVisible()
    await lookAt(page, '/portal', 'licence over')
    await page.goto('/portal/licence')
    await pressEnterOn(page, page.getByRole('button', { name: 'Accept v2098-01' }))
    await expect(page.getByText('You have accepted this version.')).toBeVisible()
    await lookAt(page, '/portal/licence', 'accepted')
    expect((await portal.call(key)).status).toBe(200)
  } finally {
    await portal.sql(`DELETE FROM licence_version WHERE label = 'v2098-01'`)
    await portal.sql('UPDATE service_state SET version = version + 1')
  }
})

test('changes the account email once the new address is confirmed', async ({ portal, newMember, newPage }) => {
  const [{ page, email }, next] = [await newMember(), portal.newEmail()]
  await page.goto('/portal/settings/security')
  const form = page.getByRole('region', { name: 'Email', exact: true })
  await typeInto(page, form.getByLabel('New email address'), next)
  await pressEnterOn(page, form.getByRole('button', { name: 'Send link to new address' }))
  await expect(
    form.getByText(
      `We've emailed ${next}. If this address is available for your account, the email contains a link to confirm it. The link works once and expires in 30 minutes.`,
    ),
  ).toBeVisible()
  await page.goto(await portal.link(next))
  await expect(page.getByText("Confirm this address as your account's new email.")).toBeVisible()
  await pressEnterOn(page, page.getByRole('button', { name: 'Confirm email' }))
  await expect(page.getByText('Email changed.')).toBeVisible()
  expect((await portal.mailbox.next(email)).text).toContain(next)
  const elsewhere = await newPage()
  await signIn(elsewhere, next)
  await elsewhere.waitForURL('**/portal')
})

test('closing an account requires typing its email address, revokes its keys and ends its sessions', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page, email } = member
  const { key } = await portal.liveKey(member)
  await page.goto('/portal/settings/account')
  const form = page.getByRole('region', { name: 'Close account' })
  await expect(form.getByText('Your keys stop working immediately')).toBeVisible()
  const close = async (typed: string) => {
    await typeInto(page, form.getByLabel('Type your email address to confirm'), typed)
    await pressEnterOn(page, form.getByRole('button', { name: 'Close account' }))
  }
  await close('somebody@example.test')
  await expect(form.getByRole('alert').getByText('Enter the email address you sign in with.')).toBeVisible()
  expect((await portal.call(key)).status).toBe(200)
  await close(email)
  await expect(page.getByText('Your account is closed.')).toBeVisible()
  expect(await portal.call(key)).toMatchObject({ status: 403 })
  expect((await portal.mailbox.next(email)).subject).toBe('Your account is closed')
  await signIn(page, email)
  await expect(page.getByRole('alert').getByText('Email address or password is not correct.')).toBeVisible()
})

test('shows the user of a blocked account the reason, and lets them sign out', async ({ portal, newMember }) => {
  const { page, email } = await newMember()
  await runCli(portal.databaseUrl, 'account', 'block', '--account', email, '--reason', 'Payment disputed', '--json')
  await page.goto('/portal/keys')
  await expect(page.getByText('This account is blocked: Payment disputed.')).toBeVisible()
  await lookAt(page, '/portal/keys', 'blocked')
  await pressEnterOn(page, page.getByRole('button', { name: 'Account menu' }))
  const leave = page.getByRole('menuitem', { name: 'Sign out' })
  await expect(leave).toBeVisible()
  await page.keyboard.press('End')
  await expect(leave).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  await expectSignedOut(page)
})
