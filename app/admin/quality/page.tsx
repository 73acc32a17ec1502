import type { Metadata } from 'next'
import { QualityBoard } from '#components/admin/market/quality-board.tsx'
import { AdminTitle } from '#components/admin/section.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Data quality' }

export default async function QualityPage() {
  if (await lacksAdminAccess()) return null
  const quality = await (await adminCaller()).admin.boards.quality()
  return (
    <>
      <AdminTitle>Data quality</AdminTitle>
      <QualityBoard {...quality} />
    </>
  )
}
