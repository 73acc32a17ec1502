import type { Metadata } from 'next'
import { SourcePage } from '#components/admin/market/source.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Import source' }

type Props = { params: Promise<{ id: string }> }

export default async function ImportPage({ params }: Props) {
  const { id: source } = await params
  return adminPage(<SourcePage source={source} />, (load, admin) => [load(admin.imports.source.queryOptions({ source }))])
}
