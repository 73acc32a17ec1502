import type { Metadata } from 'next'
import { LicenceLists } from '#components/admin/publishing/licences.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Licences' }

export default async function LicencesPage() {
  return adminPage(<LicenceLists />, (load, admin) => [load(admin.licences.list.queryOptions())])
}
