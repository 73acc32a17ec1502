import type { Metadata } from 'next'
import { BeginViewAs } from '#components/admin/view-as.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'View portal' }

type Props = { params: Promise<{ id: string }> }

export default async function BeginViewingPage({ params }: Props) {
  const { id: account } = await params
  return adminPage(<BeginViewAs account={account} />, (load, admin) => [load(admin.viewing.read.queryOptions({ account }))])
}
