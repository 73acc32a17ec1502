import { cache } from 'react'
import type { AccountPageData } from '#components/admin/account-page.tsx'
import { lastDays } from '#components/portal/usage-view.ts'
import { adminCaller } from '../admin-caller.ts'
import { found } from '../or-null.ts'

const shown = 10
const usageDays = 7

/** Returns an account by its public id, or null if unknown. */
export const getAccount = cache(async (account: string) => found((await adminCaller()).admin.accounts.read({ account })))

/** Returns all data of an account page, or null if the account is unknown. `before` is the cursor of its history. */
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
