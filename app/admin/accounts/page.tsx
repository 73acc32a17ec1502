import type { Metadata } from 'next'
import { AccountFilters, AccountTable, FindAccount, SearchedFor } from '#components/admin/account-list.tsx'
import { readAccountView } from '#components/admin/account-view.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { findAccountAction } from './actions.ts'

export const metadata: Metadata = { title: 'Accounts' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

export default async function AccountsPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const view = readAccountView(await searchParams)
  const { accounts, next } = await (await adminCaller()).admin.accounts.list(view)
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Accounts</h1>
      <FindAccount action={findAccountAction} />
      <AccountFilters view={view} />
      <SearchedFor view={view} />
      <AccountTable accounts={accounts} view={view} next={next} />
    </>
  )
}
