import type { Metadata } from 'next'
import { ServiceBoard } from '#components/admin/service/service-board.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  return adminPage(<ServiceBoard />, (load, admin) => [load(admin.boards.service.queryOptions())])
}
