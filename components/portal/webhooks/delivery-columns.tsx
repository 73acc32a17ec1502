import type { Column } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import type { DeliveryState } from '#server/api/contract/webhooks.ts'
import { number } from '../amounts.ts'
import { DeliveryStateTag } from './webhook-labels.tsx'

export type ShownDelivery = {
  readonly id: string
  readonly event: string
  readonly type: string
  readonly isTest: boolean
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: Date
  readonly chargedCredits: number
  readonly lastStatus: number | null
}

/** Columns of a list of deliveries. `path` is the URL of the deliveries' pages. */
export const deliveryColumns = (path: string): Column<ShownDelivery>[] => [
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
  { name: 'Status', isBeside: true, cell: (row) => <DeliveryStateTag {...row} /> },
  { name: 'Last response', cell: ({ lastStatus, attempts }) => lastStatus ?? (attempts === 0 ? '–' : 'None') },
  { name: 'Time', cell: ({ createdAt }) => <Time at={createdAt} look="row" /> },
  { name: 'Attempts', isNumber: true, cell: ({ attempts }) => number(attempts) },
]
