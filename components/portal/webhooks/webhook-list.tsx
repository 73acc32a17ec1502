import { DataTable } from '#components/data/data-table.tsx'
import type { WebhookState } from '#server/api/contract/webhooks.ts'
import { successRateText, WebhookTags, waitingCount } from './webhook-labels.tsx'

export type ListedWebhook = {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly types: readonly string[]
  /** Test endpoints are created over the API with a test key. */
  readonly mode: 'test' | 'live'
  readonly state: WebhookState
  readonly waiting: number
  readonly successRate: number | null
}

/** An account's endpoints, oldest first. */
export function WebhookList({ webhooks }: { webhooks: readonly ListedWebhook[] }) {
  return (
    <DataTable
      caption="Endpoints"
      rows={webhooks}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Endpoint',
          isHead: true,
          cell: ({ id, url, description }) => (
            <span className="block min-w-0">
              <a className="prose-link wrap-anywhere" href={`/portal/webhooks/${id}`}>
                {description === '' ? url : description}
              </a>
              {description === '' ? null : <code className="block font-mono text-note font-normal text-ink-2 wrap-anywhere">{url}</code>}
            </span>
          ),
        },
        { name: 'Events', cell: ({ types }) => <code className="font-mono text-note wrap-anywhere text-ink-2">{types.join(', ')}</code> },
        { name: 'Status', isBeside: true, cell: (webhook) => <WebhookTags {...webhook} /> },
        { name: 'Success rate, 7 days', isNumber: true, cell: ({ successRate }) => successRateText(successRate) },
        { name: 'Waiting', isNumber: true, cell: ({ waiting }) => waitingCount(waiting) },
      ]}
    />
  )
}
