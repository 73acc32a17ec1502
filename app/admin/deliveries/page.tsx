import type { Metadata } from 'next'
import { WaitingSummary } from '#components/admin/admin-overview.tsx'
import { FailingEndpoints, FailureFilters, readFailureView } from '#components/admin/failed-deliveries.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Deliveries' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

export default async function DeliveriesPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const view = readFailureView(await searchParams)
  const { deliveries } = (await adminCaller()).admin
  const [waiting, page] = await Promise.all([deliveries.waiting({ kind: 'dead' }), deliveries.list(view)])
  return (
    <>
      <h1 className="mb-2 text-h1 font-semibold tracking-tight">Deliveries</h1>
      <WaitingSummary {...waiting} one="endpoint with dead deliveries" many="endpoints with dead deliveries" />
      <FailureFilters path="/admin/deliveries" view={view} hasAccount />
      <FailingEndpoints view={view} {...page} />
    </>
  )
}
