import { afterAll, beforeAll, expect } from 'vitest'
import { IdentityProvider } from './identity-provider.ts'
import { type Member, PortalFixture } from './portal-fixture.ts'
import type { Page, Visitor } from './visitor.ts'

/** Returns the URL to which a page redirects with a meta refresh. */
function getRefreshTarget({ html, path }: Page): string {
  const target = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1]
  return target?.replaceAll('&amp;', '&') ?? expect.unreachable(`${path} has no meta refresh.`)
}

/** Returns helpers for tests of single sign-on with the provider of an organisation. */
export function singleSignOn(fixture: PortalFixture, provider: IdentityProvider) {
  const [label, unnamed] = ['Continue with single sign-on', 'Connect single sign-on']

  /** Sets up single sign-on for an account, as its owner. */
  async function setUp({ visitor, publicId }: Member): Promise<{ issuer: string; clientId: string; clientSecret: string }> {
    const client = provider.addClient(`${fixture.origin}/api/auth/callback/org-${publicId}`)
    const typed = { issuer: provider.issuer, ...client }
    const saved = await visitor.submitForm(await visitor.open('/portal/settings/members'), 'Save single sign-on', typed)
    expect([saved.status, saved.text.startsWith('There is a problem')]).toEqual([200, false])
    return typed
  }

  /** Signs in at the provider as the user `sub`, from a page with a sign-in button. */
  async function goThrough(visitor: Visitor, from: string, sub: string, button = label): Promise<Page> {
    const target = getRefreshTarget(await visitor.submitForm(await visitor.open(from), button))
    expect(target.startsWith(provider.issuer)).toBe(true)
    return visitor.open((await provider.signIn(target, sub)).replace(fixture.origin, ''))
  }

  /** Links a person's login on the security page. */
  async function link(visitor: Visitor, sub: string): Promise<Page> {
    const step = await visitor.submitForm(await visitor.open('/portal/settings/security'), unnamed)
    return goThrough(visitor, step.path, sub)
  }

  /** Signs in on the sign-in page of an organisation, by default in a new browser. */
  async function signIn({ publicId }: Member, sub: string, visitor = fixture.visitor()): Promise<{ visitor: Visitor; page: Page }> {
    return { visitor, page: await goThrough(visitor, `/sign-in?organisation=${publicId}`, sub) }
  }

  let people = 0
  /** Adds a user with an email address to the provider. */
  function addPerson(email = fixture.newEmail()): string {
    const sub = `colleague-${++people}`
    provider.people.set(sub, { email, email_verified: true, name: 'A colleague' })
    return sub
  }

  return { setUp, goThrough, link, signIn, addPerson }
}

/** Opens a portal and an identity provider for all tests of a file, and returns both with the single sign-on helpers. */
export function singleSignOnForFile() {
  const [fixture, provider] = [new PortalFixture(), new IdentityProvider()]
  beforeAll(() =>
    fixture.open(async (origin) => {
      await provider.open(origin)
      return { NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' }
    }),
  )
  afterAll(async () => {
    await fixture.close()
    await provider.close()
  })
  return { fixture, provider, ...singleSignOn(fixture, provider) }
}
