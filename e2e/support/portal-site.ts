import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { beginSession } from '#server/auth/sessions.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { linkIn, Mailbox } from '../../tests/portal/support/mailbox.ts'
import type { KeyOptions, TestAccount } from '../../tests/support/accounts.ts'
import { authSecret } from '../../tests/support/service-process.ts'
import { openSite, type Settings, type Site, type View } from './site.ts'

export const goodPassword = 'four green apples fell'

export type Member = TestAccount & { readonly page: Page }

type MemberOptions = { readonly credits?: number; readonly isApproved?: boolean; readonly isAdmin?: boolean; readonly view?: View }

let emailCount = 0

/** Site with a real mail server, and helpers for signing in and creating accounts. */
export class PortalSite {
  readonly mailbox = new Mailbox()
  readonly site: Site

  constructor(settings: Settings = {}) {
    this.site = openSite(async (origin) => ({
      SMTP_URL: await this.mailbox.open(),
      MAIL_FROM: 'Savings Rates API <no-reply@example.test>',
      ...(typeof settings === 'function' ? await settings(origin) : settings),
    }))
    afterAll(() => this.mailbox.close())
  }

  newEmail(): string {
    return `person-${process.pid}-${++emailCount}@example.test`
  }

  /** Returns the path of the link in the nth email to an address. */
  async link(email: string, n = 1): Promise<string> {
    return linkIn(await this.mailbox.next(email, n))
  }

  async signIn(page: Page, email: string, password = goodPassword): Promise<void> {
    if (URL.parse(page.url())?.pathname !== '/sign-in') await page.goto('/sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Signs in without the sign-in page, which is slow and has a separate test: starts a session and sets its cookie in `page`. */
  private async addSession(page: Page, account: { id: number; publicId: string }): Promise<void> {
    const { origin, fixture } = this.site
    const deps = { pool: fixture.pool, secret: authSecret, publicUrl: origin } as AuthContext
    const asker = { address: '127.0.0.1', agent: await page.evaluate(() => navigator.userAgent) }
    const session = await beginSession(deps, asker, { ...account, sessionVersion: 1 })
    if (session === null) throw new Error(`${account.publicId} could not sign in.`)
    const { name, value } = await makeCookie(deps, 'session', { sub: session.accountPublicId, sid: session.sessionId })
    await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
  }

  /** Returns a signed-in member with a confirmed and approved account and an empty page. */
  async member({ credits = 100, isApproved = true, isAdmin = false, view }: MemberOptions = {}): Promise<Member> {
    const email = this.newEmail()
    const request = { email, password: goodPassword, plan: 'hobby' as const, isAdmin, isApproved, isVerified: true }
    const { id, publicId } = await openAccount(this.site.fixture.pool, request, { kind: 'adjustment', credits })
    const page = await this.site.newPage(view)
    await this.addSession(page, { id, publicId })
    return { email, id, publicId, page }
  }

  /** Returns a signed-in administrator with two-factor sign-in. */
  async administrator(options: Omit<MemberOptions, 'isAdmin'> = {}): Promise<Member> {
    const member = await this.member({ ...options, isAdmin: true })
    await this.site.fixture.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [member.id])
    await this.site.fixture.sql('UPDATE portal_session SET second_factor_at = now() WHERE account_id = $1', [member.id])
    return member
  }

  /** Creates a live key for a member, as the operator's command does. */
  async liveKey(member: Member, options: KeyOptions = {}): Promise<{ readonly id: string; readonly key: string }> {
    const { keyId, key } = await this.site.fixture.getKey(member, { scopes: ['rates:read'], ...options })
    return { id: keyId, key }
  }

  /** Calls the API with a key. `path` starts after `/v1`. */
  async call(key: string, path = '/rates?type=easy-access&limit=3'): Promise<{ status: number; body: Record<string, unknown> }> {
    const { status, body } = await this.site.fixture.get(path, key)
    return { status, body }
  }
}
