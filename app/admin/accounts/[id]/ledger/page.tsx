import type { Metadata } from 'next'
import { AccountLedger } from '#components/admin/account-records.tsx'
import { readParameter, type Search } from '#components/admin/kit/search.ts'
import { rowsPerPage } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Account ledger' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

export default async function AccountLedgerPage({ params, searchParams }: Props) {
  const [{ id: account }, search] = [await params, await searchParams]
  const cursor = readParameter(search, 'cursor', /^\d{1,18}_-?\d{1,18}_[0-9a-f-]{0,36}$/)
  const request = readParameter(search, 'request', /^req_[0-9a-f]{32}$/)
  return adminPage(<AccountLedger account={account} cursor={cursor} request={request} />, (load, { accounts }) => [
    load(accounts.read.queryOptions({ account })),
    load(accounts.ledger.queryOptions({ account, cursor, request, limit: rowsPerPage })),
  ])
}
