import type { Metadata } from 'next'
import { cache } from 'react'
import { FailedDeliveries, FailureFilters, type FailureView, readFailureView } from '#components/admin/failed-deliveries.tsx'
import { RedeliverManyForm } from '#components/admin/redeliver-forms.tsx'
import { WebhookStateTag } from '#components/portal/webhooks/webhook-labels.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { failedAgainAction, rangeAgainAction } from '../actions.ts'

type Search = Readonly<Record<string, string | string[] | undefined>>
type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> }

const getShown = cache(async (endpoint: string, kind: FailureView['kind'], type: FailureView['type'], after: string | null) =>
  found((await adminCaller()).admin.deliveries.endpoint({ endpoint, kind, type, after })),
)

async function read({ params, searchParams }: Props) {
  const [{ id }, view] = [await params, readFailureView(await searchParams)]
  return { id, view, shown: await getShown(id, view.kind, view.type, view.after) }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return {}
  return (await read(props)).shown === null ? missingMetadata : { title: 'Endpoint deliveries' }
}

export default async function EndpointDeliveriesPage(props: Props) {
  if (await lacksAdminAccess()) return null
  const { id, view, shown } = await read(props)
  if (shown === null) return missing()
  const { account, url, state, deliveries, next } = shown
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{id}</h1>
        <WebhookStateTag state={state} />
      </div>
      <p className="mb-6 wrap-anywhere">
        <code className="font-mono text-table">{url}</code> of{' '}
        <a className="prose-link" href={`/admin/accounts/${account}`}>
          {account}
        </a>
      </p>
      <FailureFilters path={`/admin/deliveries/${id}`} view={view} hasAccount={false} />
      <FailedDeliveries endpoint={id} view={view} deliveries={deliveries} next={next} />
      <RedeliverManyForm endpoint={id} actions={{ failed: failedAgainAction, range: rangeAgainAction }} />
    </>
  )
}
