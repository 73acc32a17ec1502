import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { WebhookStateTag } from '#components/portal/webhooks/webhook-labels.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import type { WebhookState } from '#server/api/contract/webhooks.ts'
import { type FailureView, failureHref } from './failure-view.ts'

type Failing = {
  readonly endpoint: string
  readonly account: string
  readonly url: string
  readonly state: WebhookState
  readonly oldestAt: Date
  readonly count: number
}

type Props = { view: FailureView; endpoints: readonly Failing[]; maxCounted: number; next: string | null }

/** Endpoints with failed deliveries, oldest delivery first. */
export function FailingEndpoints({ view, endpoints, maxCounted, next }: Props) {
  if (endpoints.length === 0) return <p>No endpoints match.</p>
  const columns = [
    {
      name: 'Endpoint',
      isHead: true,
      cell: ({ endpoint, url }: Failing) => (
        <span className="block min-w-0 wrap-anywhere">
          <a className="prose-link font-mono text-table" href={failureHref(`/admin/deliveries/${endpoint}`, { ...view, account: null })}>
            {endpoint}
          </a>
          <code className="block font-mono text-note font-normal text-ink-3">{url}</code>
        </span>
      ),
    },
    {
      name: 'Account',
      cell: ({ account }: Failing) => (
        <a className="prose-link wrap-anywhere" href={`/admin/accounts/${account}`}>
          {account}
        </a>
      ),
    },
    { name: 'State', isBeside: true, cell: ({ state }: Failing) => <WebhookStateTag state={state} /> },
    { name: 'Oldest', cell: ({ oldestAt }: Failing) => <Time at={oldestAt} look="row" /> },
    { name: 'Deliveries', isNumber: true, cell: ({ count }: Failing) => (count > maxCounted ? `More than ${number(maxCounted)}` : number(count)) },
  ]
  return (
    <>
      <DataTable caption="Endpoints, oldest delivery first" rows={endpoints} rowKey={({ endpoint }) => endpoint} columns={columns} />
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" href={failureHref('/admin/deliveries', view, next)}>
            More endpoints
          </ButtonLink>
        </p>
      )}
    </>
  )
}
