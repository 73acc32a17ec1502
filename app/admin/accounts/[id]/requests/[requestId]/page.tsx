import type { Metadata } from 'next'
import { AccountCall } from '#components/admin/account-records.tsx'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Call details' }

type Props = { params: Promise<{ id: string; requestId: string }> }

export default async function AccountCallPage({ params }: Props) {
  const { id: account, requestId: id } = await params
  const apiUrl = `${(await currentAuthContext()).publicUrl}/v1`
  return adminPage(<AccountCall account={account} id={id} apiUrl={apiUrl} />, (load, { accounts }) => [
    load(accounts.read.queryOptions({ account })),
    load(accounts.request.queryOptions({ account, id })),
  ])
}
