import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#server/auth/throttle.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import { IdentityProvider } from './support/identity-provider.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member, PortalFixture } from './support/portal-fixture.ts'
import type { Page, SendInit, Visitor } from './support/visitor.ts'

const fixture = new PortalFixture()
const provider = new IdentityProvider()

beforeAll(() => fixture.open(async (origin) => ({ ...(await provider.open(origin)), TRUST_PROXY: '127.0.0.1,::1' })))
afterAll(async () => {
  await fixture.close()
  await provider.close()
})

let networks = 0

/** Returns a new browser, by default with its own IP address. */
function someone(address = `198.51.100.${++networks}`): { visitor: Visitor; address: string } {
  const visitor = fixture.visitor()
  const send = visitor.send.bind(visitor)
  visitor.send = (path, init: SendInit = {}) => send(path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } })
  return { visitor, address }
}

const wrong = 'not the password of this'
const refused = 'Email address or password is not correct.'

/** Tries a wrong password in a new browser. */
async function guess(email: string, address?: string): Promise<Page> {
  const { visitor } = someone(address)
  return visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email, password: wrong })
}

/** Repeatable attempt, and the subject (such as an email address) of the bucket in which it is counted. */
type Attempts = { readonly who: string; readonly again: () => Promise<Page> }

async function fromPage(path: string, button: string, fields: Record<string, string>): Promise<Attempts> {
  const { visitor, address } = someone()
  const page = await visitor.open(path)
  return { who: getNetwork(address), again: () => visitor.submitForm(page, button, fields) }
}

async function fromAddress(open: (visitor: Visitor) => Promise<Page>): Promise<Attempts> {
  const { visitor, address } = someone()
  return { who: getNetwork(address), again: () => open(visitor) }
}

async function changesOfEmail(visitor: Visitor): Promise<() => Promise<Page>> {
  const page = await visitor.open('/portal/settings')
  return () => visitor.submitForm(page, 'Send link to new address', { email: fixture.newEmail(), currentPassword: goodPassword })
}

async function withSecondFactor({ visitor, id }: Member): Promise<void> {
  await visitor.submitForm(await visitor.open('/portal/settings'), 'Set up two-factor sign-in', { currentPassword: goodPassword })
  await fixture.sql('UPDATE second_factor SET since = now() WHERE account_id = $1', [id])
}

/** One case for each limit. The type makes a missing case a compile error. */
const cases: Record<keyof typeof limits, { allowed: number; windowSeconds: number; attempts: () => Promise<Attempts> }> = {
  unauthenticated: {
    allowed: 10,
    windowSeconds: 900,
    attempts: async () => {
      const [{ address }, { email }] = [someone(), await fixture.member()]
      return { who: `${email} ${getNetwork(address)}`, again: () => guess(email, address) }
    },
  },
  address: {
    allowed: 100,
    windowSeconds: 900,
    attempts: async () => {
      const { email } = await fixture.member()
      return { who: email, again: () => guess(email) }
    },
  },
  device: {
    allowed: 10,
    windowSeconds: 900,
    attempts: async () => {
      const { email, visitor } = await fixture.member()
      await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
      const page = await visitor.open('/sign-in')
      return { who: '', again: () => visitor.submitForm(page, 'Sign in', { email, password: wrong }) }
    },
  },
  network: { allowed: 50, windowSeconds: 900, attempts: () => fromPage('/sign-in', 'Sign in', { email: fixture.newEmail(), password: wrong }) },
  signIns: {
    allowed: 30,
    windowSeconds: 600,
    attempts: async () => {
      const { email, publicId } = await fixture.member()
      return { who: publicId, again: () => fixture.signIn(someone().visitor, email) }
    },
  },
  code: {
    allowed: 10,
    windowSeconds: 900,
    attempts: async () => {
      const member = await fixture.member()
      await withSecondFactor(member)
      const { visitor } = someone()
      const page = await fixture.signIn(visitor, member.email)
      return { who: member.publicId, again: () => visitor.submitForm(page, 'Sign in', { code: '000000' }) }
    },
  },
  reauthentication: {
    allowed: 10,
    windowSeconds: 900,
    attempts: async () => {
      const { visitor, publicId } = await fixture.member()
      const page = await visitor.open('/portal/settings')
      return { who: publicId, again: () => visitor.submitForm(page, 'Change password', { currentPassword: wrong, password: 'a wholly new password' }) }
    },
  },
  provider: { allowed: 60, windowSeconds: 900, attempts: () => fromPage('/sign-in', 'Continue with Example ID', {}) },
  signUp: {
    allowed: 20,
    windowSeconds: 3_600,
    attempts: () => fromPage('/sign-up', 'Create account', { email: fixture.newEmail(), password: goodPassword, licence: 'yes' }),
  },
  providerReturn: { allowed: 60, windowSeconds: 900, attempts: () => fromAddress((visitor) => visitor.open('/api/auth/callback/oidc?code=x&state=y')) },
  emailChange: {
    allowed: 5,
    windowSeconds: 3_600,
    attempts: async () => {
      const { visitor, publicId } = await fixture.member()
      return { who: publicId, again: await changesOfEmail(visitor) }
    },
  },
  emailChangeNetwork: {
    allowed: 20,
    windowSeconds: 3_600,
    attempts: async () => {
      const [{ visitor, address }, { email }] = [someone(), await fixture.member()]
      await fixture.signIn(visitor, email)
      return { who: getNetwork(address), again: await changesOfEmail(visitor) }
    },
  },
  reset: { allowed: 20, windowSeconds: 3_600, attempts: () => fromPage('/reset', 'Send reset link', { email: fixture.newEmail() }) },
  links: { allowed: 100, windowSeconds: 900, attempts: () => fromPage('/confirm/not-a-link-of-anybody', 'Send a new link', {}) },
  resend: {
    allowed: 1,
    windowSeconds: 30,
    attempts: async () => {
      const { visitor } = someone()
      const page = await fixture.signUp(visitor, fixture.newEmail())
      return { who: '', again: () => visitor.submitForm(page, 'Resend email') }
    },
  },
}

const isThrottled = ({ text }: Page) => /Too many attempts\. Try again in \d+ (?:second|minute)s?\./.test(text)

/** Sets the number of attempts used in the bucket of `who`, or in the one that the first attempt created if `who` is empty. */
async function setUsed(limit: { name: string }, who: string, since: readonly string[], used: number): Promise<void> {
  const buckets = await fixture.sql<{ bucket: string }>("SELECT encode(bucket, 'hex') AS bucket FROM throttle")
  const named = createHash('sha256').update(`${limit.name}\0${who}`).digest('hex')
  const fresh = buckets.map(({ bucket }) => bucket).filter((bucket) => !since.includes(bucket))
  const target = who === '' ? fresh : [named]
  const changed = await fixture.sql("UPDATE throttle SET used = $2 WHERE encode(bucket, 'hex') = ANY ($1) RETURNING used", [target, used])
  expect(changed.length).toBeGreaterThan(0)
}

test.each(Object.keys(cases) as (keyof typeof cases)[])('%s: rejects attempts over the limit, and allows them in the next window', async (name) => {
  const { allowed, windowSeconds, attempts } = cases[name]
  expect(limits[name]).toMatchObject({ allowed, windowSeconds })
  const { who, again } = await attempts()
  const since = (await fixture.sql<{ bucket: string }>("SELECT encode(bucket, 'hex') AS bucket FROM throttle")).map(({ bucket }) => bucket)
  expect(isThrottled(await again())).toBe(false)
  if (allowed > 1) {
    await setUsed(limits[name], who, since, allowed - 1)
    expect(isThrottled(await again())).toBe(false)
  }
  expect(isThrottled(await again())).toBe(true)
  await fixture.sql("UPDATE throttle SET ends_at = now() - interval '1 second' WHERE used > 0")
  expect(isThrottled(await again())).toBe(false)
})

test("limits provider sign-ins at next-auth's own endpoint", async () => {
  const { visitor, address } = someone()
  const { csrfToken } = (await (await visitor.send('/api/auth/csrf')).json()) as { csrfToken: string }
  const startSignIn = async () => {
    const response = await visitor.send('/api/auth/signin/oidc', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, callbackUrl: '/portal' }),
      headers: { origin: fixture.origin },
    })
    return response.headers.get('location') ?? ''
  }
  expect(await startSignIn()).toContain(provider.issuer)
  await setUsed(limits.provider, getNetwork(address), [], limits.provider.allowed)
  expect(await startSignIn()).toBe('/sign-in?error=throttled')
})

test('counts sign-ups through a provider towards the sign-up limit', async () => {
  const { visitor, address } = someone()
  const sub = 'one of many'
  provider.people.set(sub, { email: fixture.newEmail(), email_verified: true })
  const away = await visitor.submitForm(await visitor.open('/sign-in'), 'Continue with Example ID')
  const finish = await visitor.open((await provider.signIn(away.path, sub)).replace(fixture.origin, ''))
  const bucket = createHash('sha256')
    .update(`${limits.signUp.name}\0${getNetwork(address)}`)
    .digest()
  await fixture.sql("INSERT INTO throttle (bucket, used, ends_at) VALUES ($1, 20, now() + interval '1 hour')", [bucket])
  expect(isThrottled(await visitor.submitForm(finish, 'Create account', { licence: 'yes' }))).toBe(true)
  expect(await fixture.sql('SELECT 1 FROM provider_identity WHERE subject = $1', [sub])).toEqual([])
  await fixture.sql('DELETE FROM throttle WHERE bucket = $1', [bucket])
  expect((await visitor.submitForm(finish, 'Create account', { licence: 'yes' })).path).toBe('/portal/welcome')
})

test("attackers can't stop the owner from signing in on a new device after a reset", async () => {
  const { email } = await fixture.member()
  /** Simulates guesses from many networks. */
  const exhaust = async () => {
    expect((await guess(email)).text).toContain(refused)
    await setUsed(limits.address, email, [], limits.address.allowed)
    expect((await guess(email)).text).toContain('Too many attempts.')
  }
  await exhaust()
  const { visitor: phone } = someone()
  expect((await fixture.signIn(phone, email)).text).toContain('Too many attempts.')
  await phone.submitForm(await phone.open('/reset'), 'Send reset link', { email })
  const link = linkIn(await fixture.mailbox.next(email))
  await phone.submitForm(await phone.open(link), 'Save password', { password: 'a wholly new password' })
  // The attackers continue and exhaust the limit again.
  await exhaust()
  expect((await fixture.signIn(phone, email, 'a wholly new password')).path).toBe('/portal')
})

test('limits the reset emails sent to an inbox', async () => {
  const { email } = await fixture.member()
  for (let times = 0; times < 8; times++) {
    const { visitor } = someone()
    await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  }
  await expect.poll(() => fixture.sql("SELECT 1 FROM email WHERE recipient = $1 AND state = 'waiting'", [email]), { timeout: 15_000 }).toEqual([])
  expect(fixture.mailbox.to(email)).toHaveLength(5)
  // The owner can still get a link ten minutes after the last one.
  await fixture.sql("UPDATE email SET done_at = done_at - interval '11 minutes' WHERE recipient = $1", [email])
  const { visitor } = someone()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  expect(linkIn(await fixture.mailbox.next(email, 6))).toMatch(/^\/reset\//)
})
