import type { Metadata } from 'next'
import { AccountList } from '#components/admin/account-list.tsx'
import type { Search } from '#components/admin/kit/search.ts'
import { readAccountView } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Accounts' }

type Props = { searchParams: Promise<Search> }

export default async function AccountsPage({ searchParams }: Props) {
  const view = readAccountView(await searchParams)
  return adminPage(<AccountList view={view} />, (load, admin) => [load(admin.accounts.list.queryOptions(view))])
}
