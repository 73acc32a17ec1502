import type { Metadata } from 'next'
import { EndpointTable } from '#components/admin/publishing/endpoints.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Endpoints' }

export default async function EndpointsPage() {
  return adminPage(<EndpointTable />, (load, admin) => [load(admin.endpoints.list.queryOptions())])
}
