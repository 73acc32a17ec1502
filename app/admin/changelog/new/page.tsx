import type { Metadata } from 'next'
import { NewChange } from '#components/admin/publishing/changelog.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'New entry' }

export default async function NewChangePage() {
  return adminPage(<NewChange />, (load, admin) => [load(admin.endpoints.list.queryOptions())])
}
