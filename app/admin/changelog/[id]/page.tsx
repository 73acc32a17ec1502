import type { Metadata } from 'next'
import { ChangeDraft } from '#components/admin/publishing/changelog.tsx'
import { endpointNames } from '#server/api/documents/catalogue.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Draft entry' }

type Props = { params: Promise<{ id: string }> }

export default async function ChangeDraftPage({ params }: Props) {
  const { id } = await params
  return adminPage(<ChangeDraft id={id} today={new Date()} endpoints={endpointNames()} />, (load, admin) => [load(admin.changelog.read.queryOptions({ id }))])
}
