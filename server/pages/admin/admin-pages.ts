import { cache } from 'react'
import type { AccountPageData } from '#components/admin/account-page.tsx'
import { lastDays } from '#components/portal/usage-view.ts'
import { auth } from '#server/auth/auth.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { portalFault } from '#server/trpc/portal-fault.ts'
import { createAdminCaller } from '#server/trpc/root.ts'
import { found } from '../load.ts'
import { portalContext } from '../portal-caller.ts'

/** Returns a tRPC caller for the admin procedures, for use in pages and actions. The checks are the same as over HTTP. */
export const adminCaller = cache(async () => createAdminCaller(await portalContext()))

/** Returns the signed-in administrator, or null if the user isn't an administrator or is blocked. Admin pages then return 404. */
export async function currentAdmin(): Promise<Viewer | null> {
  const viewer = await auth()
  return viewer?.isAdmin && viewer.state !== 'blocked' ? viewer : null
}

/** Returns true if the user may not see admin data. In that case, pages render nothing and the layout explains why. */
export async function lacksAdminAccess(): Promise<boolean> {
  const viewer = await currentAdmin()
  return viewer === null || !mayAdminister(viewer)
}

const shown = 10
const usageDays = 7

/** Returns an account by its public id, or null if unknown. */
export const getAccount = cache(async (account: string) => found((await adminCaller()).admin.accounts.read({ account })))

/** Returns all data of an account page, or null if the account is unknown. `before` is the cursor of the account's history. */
export async function loadAccountPage(id: string, before: string | null): Promise<AccountPageData | null> {
  const known = await getAccount(id)
  if (known === null) return null
  const [{ accounts, review }, about] = [(await adminCaller()).admin, { account: id }]
  const [failed, ledger, usage, keys, webhooks, sessions, notes, history, message] = await Promise.all([
    accounts.requests({ ...about, isFailed: true, before: null, limit: shown }),
    accounts.ledger({ ...about, cursor: null, request: null, limit: shown }),
    accounts.usage({ ...about, ...lastDays(usageDays, new Date()), by: 'endpoint' }),
    accounts.keys(about),
    accounts.webhooks(about),
    accounts.sessions(about),
    accounts.notes(about),
    accounts.history({ ...about, before }),
    review.message({ ...about, customerMessage: null }),
  ])
  return { account: known, failed: failed.requests, ledger: ledger.lines, usage: usage.groups, keys, webhooks, sessions, notes, history, message }
}

const names = ['accountName', 'rate', 'boostRate', 'boostDuration', 'minBalance', 'maxBalance'] as const

type Terms = Readonly<Record<(typeof names)[number], string>>

/** Reads the terms of a product from a form or a query string. */
export const getTerms = (read: (name: string) => string): Terms => Object.fromEntries(names.map((name) => [name, read(name)])) as Terms

export const getAddress = (sourceKey: string, terms: Terms): string => `/admin/products/${encodeURIComponent(sourceKey)}?${new URLSearchParams(terms)}#confirm`

/** Previews the product correction in the query string. Returns null if there is none or it isn't valid. */
export async function plannedIn(sourceKey: string, search: Readonly<Record<string, string | string[] | undefined>>) {
  if (search['rate'] === undefined) return null
  const terms = getTerms((name) => String(search[name] ?? ''))
  try {
    const { lines } = await (await adminCaller()).admin.products.preview({ sourceKey, ...terms })
    return { terms, lines }
  } catch (error) {
    if (error instanceof Error && portalFault(error).error === 'invalid_request') return null
    throw error
  }
}
