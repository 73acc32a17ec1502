import type { Metadata } from 'next'
import { FailingEndpoints } from '#components/admin/deliveries.tsx'
import type { Search } from '#components/admin/kit/search.ts'
import { readFailureView } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Webhook deliveries' }

type Props = { searchParams: Promise<Search> }

export default async function DeliveriesPage({ searchParams }: Props) {
  const view = readFailureView(await searchParams)
  return adminPage(<FailingEndpoints view={view} />, (load, { deliveries }) => [
    load(deliveries.waiting.queryOptions({ kind: 'dead' })),
    load(deliveries.list.queryOptions(view)),
  ])
}
