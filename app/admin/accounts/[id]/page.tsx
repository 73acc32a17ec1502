import type { Metadata } from 'next'
import { AccountPage } from '#components/admin/account-page.tsx'
import { formats, readParameter, type Search } from '#components/admin/kit/search.ts'
import { shownRows } from '#components/admin/views.ts'
import { lastDays } from '#components/portal/usage-view.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Account' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

const usageDays = 7

export default async function AccountPageOf({ params, searchParams }: Props) {
  const [{ id: account }, search] = [await params, await searchParams]
  const [before, range] = [readParameter(search, 'before', formats.cursor), lastDays(usageDays, new Date())]
  return adminPage(<AccountPage account={account} before={before} range={range} />, (load, { accounts, review }) => [
    load(accounts.read.queryOptions({ account })),
    load(accounts.requests.queryOptions({ account, isFailed: true, before: null, limit: shownRows })),
    load(accounts.ledger.queryOptions({ account, cursor: null, request: null, limit: shownRows })),
    load(accounts.payments.queryOptions({ account, limit: shownRows })),
    load(accounts.usage.queryOptions({ account, ...range, by: 'endpoint' })),
    load(accounts.tickets.queryOptions({ account })),
    load(accounts.keys.queryOptions({ account })),
    load(accounts.webhooks.queryOptions({ account })),
    load(accounts.sessions.queryOptions({ account })),
    load(accounts.notes.queryOptions({ account })),
    load(accounts.history.queryOptions({ account, before })),
    load(review.message.queryOptions({ account })),
  ])
}
