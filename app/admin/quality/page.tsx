import type { Metadata } from 'next'
import { QualityBoard } from '#components/admin/market/quality-board.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Data quality' }

export default async function QualityPage() {
  return adminPage(<QualityBoard />, (load, admin) => [load(admin.boards.quality.queryOptions())])
}
