import type { Metadata } from 'next'
import { ChangeLists } from '#components/admin/publishing/changelog.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Changelog' }

export default async function AdminChangelogPage() {
  return adminPage(<ChangeLists />, (load, admin) => [load(admin.changelog.list.queryOptions())])
}
