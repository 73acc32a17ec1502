import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { IdentityProvider } from '../tests/portal/support/identity-provider.ts'
import { runCli } from '../tests/published/support/run-cli.ts'
import { codeAt, stepAt } from '../tests/support/totp.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { goodPassword, PortalSite } from './support/portal-site.ts'

const provider = new IdentityProvider()
const portal = new PortalSite((origin) => provider.open(origin))
const { site } = portal
afterAll(() => provider.close())

const newPassword = 'seven blue whales sang'

const isSignedOut = async (page: Page): Promise<boolean> => {
  await page.goto('/portal')
  return new URL(page.url()).pathname === '/sign-in'
}

test('resets a forgotten password by email and signs out all devices', async () => {
  const { page: other, email } = await portal.member()
  const page = await site.newPage()
  await page.goto('/sign-in')
  await lookAt(page, '/sign-in')
  await typeInto(page, page.getByLabel('Email address'), email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'not the right password')
  await pressEnterOn(page, page.getByRole('button', { name: 'Sign in' }))
  await page.getByRole('alert').getByText('Email address or password is not correct.').waitFor()
  await lookAt(page, '/sign-in', 'refused')
  await pressEnterOn(page, page.getByRole('link', { name: 'Forgot your password?' }))
  await page.waitForURL('**/reset')
  await lookAt(page, '/reset')
  await typeInto(page, page.getByLabel('Email address'), email)
  await pressEnterOn(page, page.getByRole('button', { name: 'Send reset link' }))
  await page.getByText("If an account exists for this address, we've sent a link.").waitFor()
  await lookAt(page, '/reset', 'sent')
  const link = await portal.link(email)
  await page.goto(link)
  await lookAt(page, '/reset/[token]')
  await typeInto(page, page.getByLabel('New password', { exact: true }), 'short')
  await pressEnterOn(page, page.getByRole('button', { name: 'Save password' }))
  await page.getByRole('alert').getByText('Password must be 12 characters or more.').waitFor()
  await typeInto(page, page.getByLabel('New password', { exact: true }), newPassword)
  await pressEnterOn(page, page.getByRole('button', { name: 'Save password' }))
  await page.getByText("You've been signed out on all devices.").waitFor()
  expect(await isSignedOut(other)).toBe(true)
  await portal.signIn(page, email)
  await page.getByRole('alert').getByText('Email address or password is not correct.').waitFor()
  await portal.signIn(page, email, newPassword)
  await page.waitForURL('**/portal')
  await page.goto(link)
  await page.getByText('This link has already been used or has expired.').waitFor()
  await lookAt(page, '/reset/[token]', 'used')
}, 60_000)

/** Chooses the browser's time zone with the button that appears once the page's script has run. */
async function chooseOwnZone(page: Page): Promise<void> {
  const times = page.getByRole('region', { name: 'Times' })
  await pressEnterOn(page, times.getByRole('button', { name: 'Use browser time zone: Asia/Kolkata' }))
  expect(await times.getByLabel('Time zone').inputValue()).toBe('Asia/Kolkata')
  await pressEnterOn(page, times.getByRole('button', { name: 'Save time zone' }))
  await times.getByText('Saved.').waitFor()
  await times.getByText("This is your browser's time zone.").waitFor()
  // All times on the page change immediately.
  const time = page.getByRole('region', { name: 'Activity' }).getByRole('time').first()
  await time.getByText('GMT+5:30').waitFor()
  expect(await time.getAttribute('title')).toMatch(/ UTC$/)
  await lookAt(page, '/portal/settings', 'zone')
}

test('sets up two-factor sign-in, and accepts app codes and each recovery code only once', async () => {
  const { page, email, id } = await portal.member({ view: { timeZone: 'Asia/Kolkata' } })
  await page.goto('/portal/settings')
  await lookAt(page, '/portal/settings')
  await chooseOwnZone(page)
  const factor = page.getByRole('region', { name: 'Two-factor sign-in' })
  await site.fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes' WHERE account_id = $1", [id])
  await pressEnterOn(page, factor.getByRole('button', { name: 'Set up two-factor sign-in' }))
  await typeInto(page, factor.getByLabel('Your password', { exact: true }), 'not the right password')
  await pressEnterOn(page, factor.getByRole('button', { name: 'Confirm and continue' }))
  await factor.getByRole('alert').getByText('Current password is not correct.').waitFor()
  await lookAt(page, '/portal/settings', 'refused')
  await typeInto(page, factor.getByLabel('Your password', { exact: true }), goodPassword)
  await pressEnterOn(page, factor.getByRole('button', { name: 'Confirm and continue' }))
  await factor.getByRole('img', { name: 'QR code for two-factor sign-in' }).waitFor()
  await lookAt(page, '/portal/settings', 'second factor')
  const secret = ((await factor.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await typeInto(page, factor.getByLabel('6-digit code'), codeAt(secret, stepAt(Date.now())))
  await pressEnterOn(page, factor.getByRole('button', { name: 'Turn on' }))
  await factor.getByText('Two-factor sign-in is on.').waitFor()
  const codes = await factor.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await lookAt(page, '/portal/settings', 'recovery codes')

  const elsewhere = await site.newPage()
  const enter = async (code: string) => {
    await portal.signIn(elsewhere, email)
    await elsewhere.waitForURL('**/sign-in/code')
    await typeInto(elsewhere, elsewhere.getByLabel('Code'), code)
    await pressEnterOn(elsewhere, elsewhere.getByRole('button', { name: 'Sign in' }))
  }
  await enter('000000')
  await elsewhere.getByRole('alert').getByText('Code is not correct.').waitFor()
  await lookAt(elsewhere, '/sign-in/code', 'refused')
  expect(await isSignedOut(elsewhere)).toBe(true)
  // Uses the next code: the current one may have been used for the set-up, and no code is accepted twice.
  await enter(codeAt(secret, stepAt(Date.now()) + 1))
  await elsewhere.waitForURL('**/portal')
  await elsewhere.context().clearCookies()
  await enter(codes[0] ?? '')
  await elsewhere.waitForURL('**/portal')
  await elsewhere.goto('/portal/settings')
  await elsewhere.getByText('On. 9 recovery codes left.').waitFor()
  await elsewhere.goto('/sign-in/confirm')
  await lookAt(elsewhere, '/sign-in/confirm')
  await elsewhere.context().clearCookies()
  await enter(codes[0] ?? '')
  await elsewhere.getByRole('alert').getByText('Code is not correct.').waitFor()
}, 60_000)

test('signs out another device', async () => {
  const { page, email } = await portal.member()
  const other = await site.newPage({ width: 390 })
  await portal.signIn(other, email)
  await other.waitForURL('**/portal')
  await page.goto('/portal/settings')
  const devices = page.getByRole('region', { name: 'Devices' })
  expect(await devices.getByRole('listitem').count()).toBe(2)
  await pressEnterOn(page, devices.getByRole('button', { name: 'Sign out', exact: true }))
  await page.getByText('Device signed out.').waitFor()
  expect(await devices.getByRole('listitem').count()).toBe(1)
  expect([await isSignedOut(other), await isSignedOut(page)]).toEqual([true, false])
})

test.each([true, false])(
  'signs up with an identity provider and accepts the licence (JavaScript: %s)',
  async (javaScriptEnabled) => {
    site.adjacent.add(provider.issuer)
    const [page, email] = [await site.newPage({ javaScriptEnabled }), portal.newEmail()]
    provider.people.set(email, { email, email_verified: true })
    await page.goto('/sign-up')
    if (javaScriptEnabled) await lookAt(page, '/sign-up', 'with provider')
    await pressEnterOn(page, page.getByRole('button', { name: 'Continue with Example ID' }))
    await page.waitForURL(`${provider.issuer}/**`)
    await typeInto(page, page.getByLabel('Name'), email)
    await typeInto(page, page.getByLabel('Password'), 'any')
    await pressEnterOn(page, page.getByRole('button', { name: 'Sign in' }))
    await page.waitForURL('**/sign-up/finish')
    await page.getByText(email).waitFor()
    await pressEnterOn(page, page.getByRole('button', { name: 'Create account' }))
    await page.getByText('Accept the Data Licence to continue.').first().waitFor()
    if (javaScriptEnabled) await lookAt(page, '/sign-up/finish', 'refused')
    await tabTo(page, page.getByLabel('I accept the Data Licence'))
    await page.keyboard.press('Space')
    await pressEnterOn(page, page.getByRole('button', { name: 'Create account' }))
    await page.waitForURL('**/portal/welcome')
    await page.getByText('20 credits added.').waitFor()
    expect((await portal.call((await page.locator('[data-key]').textContent()) ?? '')).status).toBe(200)
  },
  60_000,
)

async function publishLicence(label: string): Promise<void> {
  await site.fixture.sql(
    `INSERT INTO licence_version (label, published_at, grace_ends_at, changes) VALUES ($1, now() - interval '1 hour', now() + interval '1 day', 'Attribution may be shorter.')`,
    [label],
  )
  await site.fixture.sql('UPDATE service_state SET version = version + 1')
}

test('a customer can accept a new licence version before and after the grace period', async () => {
  const member = await portal.member()
  const { page } = member
  const { key } = await portal.liveKey(member)
  await publishLicence('v2098-01')
  try {
    await page.goto('/portal')
    await page.getByText(/Live calls stop on \d+ \w+ \d{4} unless you accept\./).waitFor()
    await pressEnterOn(page, page.getByRole('link', { name: 'Read what changed' }))
    await page.waitForURL('**/portal/licence')
    await page.getByText('Attribution may be shorter.').waitFor()
    await lookAt(page, '/portal/licence', 'due')
    await site.fixture.sql(`UPDATE licence_version SET grace_ends_at = now() - interval '1 minute' WHERE label = 'v2098-01'`)
    await site.fixture.sql('UPDATE service_state SET version = version + 1')
    expect(await portal.call(key)).toMatchObject({ status: 403, body: { error: 'licence_reacceptance_required' } })
    await page.goto('/portal')
    await page.getByText(/Live calls stopped on /).waitFor()
    await lookAt(page, '/portal', 'licence over')
    await page.goto('/portal/licence')
    await pressEnterOn(page, page.getByRole('button', { name: 'Accept v2098-01' }))
    await page.getByText('You have accepted this version.').waitFor()
    await lookAt(page, '/portal/licence', 'accepted')
    expect((await portal.call(key)).status).toBe(200)
  } finally {
    await site.fixture.sql(`DELETE FROM licence_version WHERE label = 'v2098-01'`)
    await site.fixture.sql('UPDATE service_state SET version = version + 1')
  }
})

test('changes the email once its link is confirmed', async () => {
  const [{ page, email }, next] = [await portal.member(), portal.newEmail()]
  await page.goto('/portal/settings')
  const form = page.getByRole('region', { name: 'Email', exact: true })
  await typeInto(page, form.getByLabel('New email address'), next)
  await pressEnterOn(page, form.getByRole('button', { name: 'Send link to new address' }))
  await form.getByText(`We've sent a link to ${next} if it can be used.`).waitFor()
  await page.goto(await portal.link(next))
  await page.getByText('Confirm this address as the new email of your account.').waitFor()
  await pressEnterOn(page, page.getByRole('button', { name: 'Confirm email' }))
  await page.getByText('Email changed.').waitFor()
  expect((await portal.mailbox.next(email)).text).toContain(next)
  const elsewhere = await site.newPage()
  await portal.signIn(elsewhere, next)
  await elsewhere.waitForURL('**/portal')
})

test('closing an account requires its email, revokes its keys and ends its sessions', async () => {
  const member = await portal.member()
  const { page, email } = member
  const { key } = await portal.liveKey(member)
  await page.goto('/portal/settings')
  const form = page.getByRole('region', { name: 'Close account' })
  await form.getByText('Your keys stop working immediately').waitFor()
  const close = async (typed: string) => {
    await typeInto(page, form.getByLabel('Type your email address to confirm'), typed)
    await pressEnterOn(page, form.getByRole('button', { name: 'Close account' }))
  }
  await close('somebody@example.test')
  await form.getByRole('alert').getByText('Enter the email address of this account.').waitFor()
  expect((await portal.call(key)).status).toBe(200)
  await close(email)
  await page.getByText('Your account is closed.').waitFor()
  expect(await portal.call(key)).toMatchObject({ status: 403 })
  expect((await portal.mailbox.next(email)).subject).toBe('Your account is closed')
  await portal.signIn(page, email)
  await page.getByRole('alert').getByText('Email address or password is not correct.').waitFor()
})

test('shows the reason to a blocked account, which can sign out', async () => {
  const { page, email } = await portal.member()
  await runCli(site.fixture.databaseUrl, 'account', 'block', '--account', email, '--reason', 'Payment disputed', '--json')
  await page.goto('/portal/keys')
  await page.getByText('This account is blocked: Payment disputed.').waitFor()
  await lookAt(page, '/portal/keys', 'blocked')
  await pressEnterOn(page, page.getByRole('button', { name: 'Sign out' }))
  await page.waitForURL('**/sign-in')
  expect(await isSignedOut(page)).toBe(true)
})
