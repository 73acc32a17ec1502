import type { Metadata } from 'next'
import { EndpointTable } from '#components/admin/publishing/endpoint-table.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Endpoints' }

export default async function EndpointsPage() {
  if (await isDeskShut()) return null
  const endpoints = await (await deskCaller()).admin.endpoints.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Endpoints</h1>
      <EndpointTable endpoints={endpoints} />
    </>
  )
}
