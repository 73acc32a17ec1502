import { type BrowserContext, type BrowserContextOptions, type Page, test } from '@playwright/test'
import type { Member as Account, MemberOptions, Settings } from '../../tests/portal/support/portal-fixture.ts'
import { PageErrors } from './page-errors.ts'
import { Portal } from './portal.ts'

export type Member = Account & { readonly page: Page }

/** Browser options that emulate a phone. */
export const phone = { viewport: { width: 390, height: 844 } } as const

type PortalFixtures = {
  /** Errors on all pages of the test. There must be none when the test ends. */
  pageErrors: PageErrors
  /** Opens a page with separate cookies and storage. */
  newPage: (view?: BrowserContextOptions) => Promise<Page>
  /** Creates a member with a confirmed and approved account, and an empty page in which they are signed in. */
  newMember: (options?: MemberOptions, view?: BrowserContextOptions) => Promise<Member>
  /** Creates an administrator with two-factor sign-in, and an empty page in which they are signed in. */
  newAdministrator: () => Promise<Member>
}

/**
 * Returns `test` for a file whose tests share one service with these settings. Each call makes a new worker fixture, so that Playwright starts a separate
 * worker and service for each file.
 */
export const portalTest = (settings: Settings = {}) =>
  test.extend<PortalFixtures, { portal: Portal }>({
    portal: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
      async ({}, use) => {
        const portal = new Portal()
        await portal.open(settings)
        await use(portal)
        await portal.close()
      },
      { scope: 'worker', timeout: 60_000 },
    ],

    baseURL: ({ portal }, use) => use(portal.origin),

    pageErrors: async ({ portal }, use) => {
      const errors = new PageErrors(portal.origin)
      await use(errors)
      errors.check()
    },

    context: async ({ context, pageErrors }, use) => {
      await pageErrors.observe(context)
      await use(context)
    },

    newPage: async ({ browser, pageErrors }, use) => {
      const contexts: BrowserContext[] = []
      await use(async (view) => {
        const context = await browser.newContext(view)
        contexts.push(context)
        await pageErrors.observe(context)
        return context.newPage()
      })
      for (const context of contexts) await context.close()
    },

    newMember: ({ portal, newPage }, use) => use(async (options, view) => signedIn(portal, await portal.member(options), await newPage(view))),

    newAdministrator: ({ portal, newPage }, use) => use(async () => signedIn(portal, await portal.administrator(), await newPage())),
  })

/** Signs an account in on a page by copying the cookies of the account's existing session. */
async function signedIn({ origin }: Portal, account: Account, page: Page): Promise<Member> {
  const cookies = [...account.visitor.cookies].map(([name, value]) => ({ name, value, url: origin, httpOnly: true, sameSite: 'Lax' as const }))
  await page.context().addCookies(cookies)
  return { ...account, page }
}
