import type { Metadata } from 'next'
import { NewChange } from '#components/admin/publishing/changelog.tsx'
import { endpointNames } from '#server/api/documents/catalogue.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'New entry' }

export default async function NewChangePage() {
  return adminPage(<NewChange endpoints={endpointNames()} />)
}
