import type { Metadata } from 'next'
import { AccountCalls } from '#components/admin/account-records.tsx'
import { readParameter, type Search } from '#components/admin/kit/search.ts'
import { rowsPerPage } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Account calls' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

export default async function AccountCallsPage({ params, searchParams }: Props) {
  const [{ id: account }, search] = [await params, await searchParams]
  const [isFailed, before] = [search['failed'] === 'yes', readParameter(search, 'before', /^req_[0-9a-f]{32}$/)]
  return adminPage(<AccountCalls account={account} isFailed={isFailed} before={before} />, (load, { accounts }) => [
    load(accounts.read.queryOptions({ account })),
    load(accounts.requests.queryOptions({ account, isFailed, before, limit: rowsPerPage })),
  ])
}
