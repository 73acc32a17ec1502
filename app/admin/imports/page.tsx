import type { Metadata } from 'next'
import { Imports } from '#components/admin/market/imports.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Imports' }

export default async function ImportsPage() {
  return adminPage(<Imports />, (load, admin) => [load(admin.imports.morning.queryOptions())])
}
