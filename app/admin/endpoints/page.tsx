import type { Metadata } from 'next'
import { EndpointTable } from '#components/admin/publishing/endpoint-table.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Endpoints' }

export default async function EndpointsPage() {
  if (await lacksAdminAccess()) return null
  const endpoints = await (await adminCaller()).admin.endpoints.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Endpoints</h1>
      <EndpointTable endpoints={endpoints} />
    </>
  )
}
