import type { Metadata } from 'next'
import { EndpointDeliveries } from '#components/admin/deliveries.tsx'
import type { Search } from '#components/admin/kit/search.ts'
import { readFailureView } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Endpoint deliveries' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

export default async function EndpointDeliveriesPage({ params, searchParams }: Props) {
  const [{ id: endpoint }, view] = [await params, readFailureView(await searchParams)]
  const { kind, type, after } = view
  return adminPage(<EndpointDeliveries endpoint={endpoint} view={view} />, (load, { deliveries }) => [
    load(deliveries.endpoint.queryOptions({ endpoint, kind, type, after })),
  ])
}
