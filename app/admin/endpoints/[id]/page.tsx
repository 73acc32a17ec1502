import type { Metadata } from 'next'
import { AvailabilityChoice, AvailabilityForm } from '#components/admin/publishing/availability-change.tsx'
import { availabilityLabels } from '#components/admin/publishing/endpoint-table.tsx'
import { Fact } from '#components/portal/fact.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'
import { setAvailabilityAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Endpoint' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ to?: string | string[] }> }

export default async function EndpointPage({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const [{ id }, { to: asked }, { admin }] = [await params, await searchParams, await adminCaller()]
  const endpoint = await found(admin.endpoints.read({ endpoint: id }))
  if (endpoint === null) return missingThing()
  const to = (['open', 'test-only', 'coming-soon'] as const).find((one) => one === asked && one !== endpoint.now && !endpoint.isPlanned)
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight wrap-anywhere">{endpoint.name}</h1>
      <dl className="border-t border-line">
        <Fact name="Summary">{endpoint.summary}</Fact>
        <Fact name="Cost">{endpoint.cost}</Fact>
        <Fact name="Plan">{endpoint.plan ?? 'All plans'}</Fact>
        <Fact name="Default">{availabilityLabels[endpoint.catalogue]}</Fact>
        <Fact name="Now">
          {availabilityLabels[endpoint.now]}
          {endpoint.override === null ? '' : ' (override)'}
        </Fact>
      </dl>
      {to === undefined ? (
        <AvailabilityChoice endpoint={endpoint} />
      ) : (
        <AvailabilityForm endpoint={endpoint} to={to} draft={await admin.endpoints.draft({ endpoint: id, to })} action={setAvailabilityAction} />
      )}
    </>
  )
}
