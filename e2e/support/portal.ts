import type { Page } from '@playwright/test'
import { linkIn } from '../../tests/portal/support/mailbox.ts'
import { goodPassword, PortalFixture } from '../../tests/portal/support/portal-fixture.ts'
import { call, type KeyOptions, makeKey, type TestAccount } from '../../tests/support/accounts.ts'

/** The whole service as an operator starts it, with its own port, database and SMTP server. */
export class Portal extends PortalFixture {
  /** Returns the path of the link in the nth email to an address. */
  async link(email: string, n = 1): Promise<string> {
    return linkIn(await this.mailbox.next(email, n))
  }

  /** Creates a live key for an account, as the operator command does. */
  liveKey(account: TestAccount, options: KeyOptions = {}): Promise<{ readonly id: string; readonly key: string }> {
    return makeKey(this.pool, account, { scopes: ['rates:read'], ...options })
  }

  /** Calls the API with a key. `path` starts after `/v1`. */
  async call(key: string, path = '/rates?type=easy-access&limit=3'): Promise<{ status: number; body: Record<string, unknown> }> {
    const { status, body } = await call(this.service.api, path, key)
    return { status, body }
  }
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
  if (URL.parse(page.url())?.pathname !== '/sign-in') await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
