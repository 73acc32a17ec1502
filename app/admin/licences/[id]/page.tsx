import type { Metadata } from 'next'
import { LicenceDraft } from '#components/admin/publishing/licences.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'
import { licenceText } from '#server/pages/licence-page.tsx'

export const metadata: Metadata = { title: 'Draft version' }

export default async function LicenceDraftPage({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, current] = [await params, await licenceText(null)]
  return adminPage(<LicenceDraft id={id} current={current?.label ?? ''} />, (load, admin) => [load(admin.licences.read.queryOptions({ id }))])
}
