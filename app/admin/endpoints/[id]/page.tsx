import type { Metadata } from 'next'
import type { Search } from '#components/admin/kit/search.ts'
import { EndpointPage } from '#components/admin/publishing/endpoints.tsx'
import { readAvailability } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Endpoint' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

export default async function EndpointPageOf({ params, searchParams }: Props) {
  const [{ id: endpoint }, search] = [await params, await searchParams]
  const to = readAvailability(search['to'])
  return adminPage(<EndpointPage id={endpoint} to={to} />, (load, admin) => [
    load(admin.endpoints.read.queryOptions({ endpoint })),
    ...(to === null ? [] : [load(admin.endpoints.draft.queryOptions({ endpoint, to }))]),
  ])
}
