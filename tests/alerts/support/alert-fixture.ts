import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { createAlert } from '#server/alerts/manage-alerts.ts'
import type { AlertChange, NewAlert } from '#server/api/contract/market-alerts.ts'
import type { Database } from '#server/db/prisma.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot, type MarketSnapshot } from '#server/market/snapshot.ts'
import { createLog } from '#server/observability/log.ts'
import { alertFilters } from '#server/runtime/alert-filters.ts'
import { type Line, ndjson, provider } from '../../market/feeds.ts'
import { makeAccount, type TestAccount } from '../../support/accounts.ts'

export const secret = 'a secret of the tests that is long enough'

/** Dependencies of alerts, with a market that changes only when it is refreshed, as in a running process. */
export async function openAlerts(pool: Database): Promise<AlertDeps> {
  let market: MarketSnapshot = await loadSnapshot(pool)
  const latest = async () => {
    market = await loadSnapshot(pool)
    return market
  }
  return { pool, log: createLog('silent'), secret, filters: alertFilters, current: () => market, latest }
}

/** Imports rows of the live market in addition to the existing ones. */
export const take = (pool: Database, ...lines: Line[]) =>
  importFeed(pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', partial: true })

/** Adds the providers of the test products. */
export const takeProviders = (pool: Database) => take(pool, provider('harrow'), provider('brook'))

const base: NewAlert = {
  name: 'Easy access above 4.6%',
  kind: 'products',
  filter: { type: 'easy-access', minRate: '4.6', provider: 'harrow' },
  providers: [],
  frequency: 'immediate',
  byEmail: true,
  byWebhook: false,
}

/** Returns the owner's access to their own account. */
export const ownerOf = ({ id }: TestAccount) => ({ accountId: id, signInId: id, mode: 'live', by: { actor: 'account' } }) as const

/** Creates an alert on the current market; in a new account by default. */
export async function addAlert(deps: AlertDeps, given: Partial<NewAlert> = {}, owner?: TestAccount) {
  await deps.latest()
  const account = owner ?? (await makeAccount(deps.pool))
  return { account, ...(await createAlert(deps, ownerOf(account), { ...base, ...given })) }
}

export type Stored = { readonly changes: readonly AlertChange[]; readonly count: number }

/** Returns the notifications of an alert, oldest first. */
export async function getNotifications(pool: Database, id: string): Promise<Stored[]> {
  const rows = await pool.marketAlertNotification.findMany({ where: { alert: { publicId: id } }, orderBy: { id: 'asc' } })
  return rows.map(({ changes, changeCount }) => ({ changes: changes as unknown as AlertChange[], count: changeCount }))
}
