import type { Metadata } from 'next'
import { AdminOverview } from '#components/admin/overview.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Admin' }

export default async function AdminOverviewPage() {
  return adminPage(<AdminOverview />, (load, admin) => [
    load(admin.imports.morning.queryOptions()),
    load(admin.now.list.queryOptions()),
    load(admin.now.trends.queryOptions()),
  ])
}
