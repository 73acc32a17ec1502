import { useQuery } from '@tanstack/react-query'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { DeliveryStateTag, liveEveryMs } from './webhook-labels.tsx'
import type { ListedWebhook } from './webhook-list.tsx'

const maxShown = 10

/** Latest deliveries to all endpoints of an account. */
export function RecentDeliveries({ webhooks }: { webhooks: readonly ListedWebhook[] }) {
  const all = { id: null, state: null, type: null, cursor: null }
  const { data } = useQuery(useTRPC().webhooks.deliveries.queryOptions(all, { refetchInterval: liveEveryMs }))
  const deliveries = data?.deliveries.slice(0, maxShown) ?? []
  const names = new Map(webhooks.map(({ id, description, url }) => [id, description === '' ? url : description]))
  return (
    <section aria-labelledby="recent" className="mt-10">
      <h2 id="recent" className="text-h2 font-semibold">
        Recent deliveries
      </h2>
      {deliveries.length === 0 ? (
        <p className="mt-1 text-ink-2">None yet. Open an endpoint to send a test event.</p>
      ) : (
        <DataTable
          caption="Recent deliveries"
          rows={deliveries}
          rowKey={({ id }) => id}
          isDense
          columns={[
            {
              name: 'Event',
              isHead: true,
              cell: ({ id, endpoint, type }) => (
                <a className="prose-link font-mono text-table" href={`/portal/webhooks/${endpoint}/deliveries/${id}`}>
                  {type}
                </a>
              ),
            },
            { name: 'Status', isBeside: true, cell: (row) => <DeliveryStateTag {...row} /> },
            { name: 'Endpoint', cell: ({ endpoint }) => <span className="wrap-anywhere">{names.get(endpoint) ?? '–'}</span> },
            { name: 'Response', cell: ({ lastStatus }) => lastStatus ?? '–' },
            { name: 'Time', cell: ({ createdAt }) => <Time at={createdAt} look="row" /> },
          ]}
        />
      )}
    </section>
  )
}
