import type { Metadata } from 'next'
import { AuditLog } from '#components/admin/audit.tsx'
import { readParameter, type Search } from '#components/admin/kit/search.ts'
import { readAuditView } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<Search> }

export default async function AuditPage({ searchParams }: Props) {
  const search = await searchParams
  const [view, cursor] = [readAuditView(search), readParameter(search, 'cursor', /^\d{1,15}_\d{1,18}$/)]
  return adminPage(<AuditLog view={view} cursor={cursor} />, (load, admin) => [
    load(admin.audit.list.queryOptions({ ...view, cursor })),
    load(admin.audit.actions.queryOptions()),
  ])
}
