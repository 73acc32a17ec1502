import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#server/accounts/throttle.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import { aProvider, approvals, attempts, changesOfEmail, isThrottled, limitedProcedures, wrong } from './support/attempts.ts'
import { IdentityProvider } from './support/identity-provider.ts'
import { goodPassword, type Member, PortalFixture } from './support/portal-fixture.ts'
import type { Page, Visitor } from './support/visitor.ts'

const fixture = new PortalFixture()
const provider = new IdentityProvider()
const { someone, guess, setUsed, startAtOrganisation } = attempts(fixture)

beforeAll(() => fixture.open(async (origin) => ({ ...(await provider.open(origin)), TRUST_PROXY: '127.0.0.1,::1' })))
afterAll(async () => {
  await fixture.close()
  await provider.close()
})

/** Rate-limited attempt that can be repeated, and the subject it is counted against, such as an email address. */
type Attempts = { readonly who: string; readonly again: () => Promise<Pick<Page, 'text'>> }

async function fromPage(path: string, button: string, fields: Record<string, string>): Promise<Attempts> {
  const { visitor, address } = someone()
  const page = await visitor.open(path)
  return { who: getNetwork(address), again: () => visitor.submitForm(page, button, fields) }
}

async function fromMember(path: string, button: string, getFields: () => Record<string, string>): Promise<Attempts> {
  const { visitor, publicId } = await fixture.member()
  return { who: publicId, again: async () => visitor.submitForm(await visitor.open(path), button, getFields()) }
}

async function fromAddress(open: (visitor: Visitor) => Promise<Page>): Promise<Attempts> {
  const { visitor, address } = someone()
  return { who: getNetwork(address), again: () => open(visitor) }
}

const post = async (visitor: Visitor, path: string) => visitor.follow(await visitor.send(path, { method: 'POST', body: '' }), path)
const followStatus = async (visitor: Visitor, email: string) => visitor.submitForm(await visitor.open('/status'), 'Email me about incidents', { email })
const followOf = (email: string): Attempts => ({ who: email, again: () => followStatus(someone().visitor, email) })
async function withSecondFactor({ visitor, id }: Member): Promise<void> {
  await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in', { currentPassword: goodPassword })
  await fixture.sql('UPDATE second_factor SET since = now() WHERE account_id = $1', [id])
}

async function changesOfPassword(currentPassword: string, password: string): Promise<Attempts> {
  const { visitor, publicId } = await fixture.member()
  const page = await visitor.open('/portal/settings/security')
  return { who: publicId, again: () => visitor.submitForm(page, 'Change password', { currentPassword, password }) }
}

async function memberFrom(address: string): Promise<Visitor> {
  const { visitor } = someone(address)
  await fixture.signIn(visitor, (await fixture.member()).email)
  return visitor
}

async function guessCode(): Promise<Attempts> {
  const member = await fixture.member()
  await withSecondFactor(member)
  const { visitor } = someone()
  const page = await fixture.signIn(visitor, member.email)
  return { who: member.publicId, again: () => visitor.submitForm(page, 'Sign in', { code: '000000' }) }
}

const writeToSupport = async (visitor: Visitor) => visitor.submitForm(await visitor.open('/portal/help'), 'Send message', { topic: 'other', text: 'Hello' })

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
  unauthenticatedSite: {
    allowed: 30,
    windowSeconds: 900,
    attempts: async () => {
      const { email } = await fixture.member()
      let networks = 0
      return { who: `${email} 2001:db8:7`, again: () => guess(email, `2001:db8:7:${++networks}::1`) }
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
  code: { allowed: 10, windowSeconds: 900, attempts: guessCode },
  codeDay: { allowed: 50, windowSeconds: 86_400, attempts: guessCode },
  passwordChange: { allowed: 10, windowSeconds: 3_600, attempts: () => changesOfPassword(goodPassword, goodPassword) },
  reauthentication: { allowed: 10, windowSeconds: 900, attempts: () => changesOfPassword(wrong, 'a wholly new password') },
  supportMessages: {
    allowed: 10,
    windowSeconds: 3_600,
    attempts: () => fromMember('/portal/help', 'Send message', () => ({ topic: 'other', text: 'Hello' })),
  },
  unconfirmedMessages: {
    allowed: 3,
    windowSeconds: 86_400,
    attempts: async () => {
      const { visitor, publicId, id } = await fixture.member()
      await fixture.sql('UPDATE account SET email_verified_at = NULL WHERE id = $1', [id])
      return { who: publicId, again: () => writeToSupport(visitor) }
    },
  },
  networkMessages: {
    allowed: 20,
    windowSeconds: 3_600,
    attempts: async () => {
      const { address } = someone()
      return { who: getNetwork(address), again: async () => writeToSupport(await memberFrom(address)) }
    },
  },
  invitations: {
    allowed: 20,
    windowSeconds: 3_600,
    attempts: () => fromMember('/portal/settings/members', 'Send invitation', () => ({ email: fixture.newEmail(), role: 'developer' })),
  },
  providerChecks: { allowed: 20, windowSeconds: 3_600, attempts: () => fromMember('/portal/settings/members', 'Save single sign-on', () => aProvider) },
  provider: { allowed: 60, windowSeconds: 900, attempts: () => fromPage('/sign-in', 'Continue with Example ID', {}) },
  organisationProvider: { allowed: 3_000, windowSeconds: 900, attempts: startAtOrganisation },
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
      return { who: publicId, again: await changesOfEmail(fixture, visitor) }
    },
  },
  emailChangeNetwork: {
    allowed: 20,
    windowSeconds: 3_600,
    attempts: async () => {
      const { address } = someone()
      return { who: getNetwork(address), again: await changesOfEmail(fixture, await memberFrom(address)) }
    },
  },
  reset: { allowed: 20, windowSeconds: 3_600, attempts: () => fromPage('/reset', 'Send reset link', { email: fixture.newEmail() }) },
  emailsOfSite: {
    allowed: 60,
    windowSeconds: 3_600,
    attempts: async () => {
      let networks = 0
      const again = async () => {
        const { visitor } = someone(`2001:db8:8:${++networks}::1`)
        return visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email: fixture.newEmail() })
      }
      return { who: '2001:db8:8', again }
    },
  },
  links: { allowed: 100, windowSeconds: 900, attempts: () => fromPage('/confirm/not-a-link-of-anybody', 'Send a new link', {}) },
  statusAddress: { allowed: 3, windowSeconds: 3_600, attempts: async () => followOf(fixture.newEmail()) },
  statusNetwork: { allowed: 10, windowSeconds: 3_600, attempts: () => fromAddress((visitor) => followStatus(visitor, fixture.newEmail())) },
  oauthRegistration: { allowed: 200, windowSeconds: 3_600, attempts: () => fromAddress((visitor) => post(visitor, '/oauth/register')) },
  oauthRevocation: { allowed: 300, windowSeconds: 900, attempts: () => fromAddress((visitor) => post(visitor, '/oauth/revoke')) },
  oauthApproval: { allowed: 60, windowSeconds: 3_600, attempts: () => approvals(fixture) },
  oauthToken: { allowed: 300, windowSeconds: 900, attempts: () => fromAddress((visitor) => post(visitor, '/oauth/token')) },
  ...limitedProcedures(fixture),
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
