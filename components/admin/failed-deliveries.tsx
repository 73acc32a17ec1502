import { number } from '../portal/amounts.ts'
import type { ShownDelivery } from '../portal/webhooks/deliveries.tsx'
import { DeliveryStateTag } from '../portal/webhooks/webhook-words.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Time } from '../ui/time.tsx'
import { type FailureView, failureHref } from './failure-view.ts'

type Props = { endpoint: string; view: FailureView; deliveries: readonly ShownDelivery[]; next: string | null }

/** Deliveries of an endpoint that failed, the oldest first. */
export function FailedDeliveries({ endpoint, view, deliveries, next }: Props) {
  const path = `/admin/deliveries/${endpoint}`
  if (deliveries.length === 0) return <p>No deliveries match.</p>
  return (
    <>
      <DataTable
        caption="Deliveries, the oldest first"
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Event',
            isHead: true,
            cell: ({ id, event, type }) => (
              <span className="block min-w-0 wrap-anywhere">
                <a className="prose-link font-mono text-table" href={`${path}/${id}`}>
                  {type}
                </a>
                <code className="block font-mono text-note font-normal text-ink-3">{event}</code>
              </span>
            ),
          },
          { name: 'State', cell: (row) => <DeliveryStateTag {...row} /> },
          { name: 'Last answer', cell: ({ lastStatus, attempts }) => lastStatus ?? (attempts === 0 ? '–' : 'None') },
          { name: 'Time', cell: ({ createdAt }) => <Time at={createdAt} look="row" /> },
          { name: 'Attempts', isNumber: true, cell: ({ attempts }) => number(attempts) },
        ]}
      />
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" href={failureHref(path, view, next)}>
            Later deliveries
          </ButtonLink>
        </p>
      )}
    </>
  )
}
