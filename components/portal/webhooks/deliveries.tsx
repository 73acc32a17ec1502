'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import type { DeliveryState, EventType } from '#server/api/contract/webhooks.ts'
import { number } from '../amounts.ts'
import { DeliveryStateTag, deliveryLabels, liveEveryMs } from './webhook-labels.tsx'

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

/** Columns of a delivery list. `path` is the base URL of the deliveries' pages. */
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

export type DeliveryView = { readonly state: DeliveryState | null; readonly type: EventType | null; readonly cursor: string | null }

const box = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:h-9 sm:text-table'

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as a child
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      {children}
    </label>
  )
}

/** Filters of the delivery list. A GET form, so that the filters are in the URL. */
function Filters({ endpoint, view, types }: { endpoint: string; view: DeliveryView; types: readonly string[] }) {
  const isFiltered = view.state !== null || view.type !== null
  return (
    <search>
      <form
        action={`/portal/webhooks/${endpoint}`}
        className="mt-3 mb-3 grid grid-cols-2 items-end gap-3 rounded-panel border border-line bg-surface p-3 lg:grid-cols-[1fr_1fr_auto]"
      >
        <Labelled label="Status">
          <Select name="state" defaultValue={view.state ?? ''} className={box}>
            <option value="">All statuses</option>
            {Object.entries(deliveryLabels).map(([state, label]) => (
              <option key={state} value={state}>
                {label}
              </option>
            ))}
          </Select>
        </Labelled>
        <Labelled label="Event">
          <Select name="type" defaultValue={view.type ?? ''} className={box}>
            <option value="">All events</option>
            {types.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </Select>
        </Labelled>
        <div className="col-span-2 flex flex-wrap gap-3 lg:col-span-1">
          <Button kind="filter" type="submit">
            Search
          </Button>
          {isFiltered ? (
            <ButtonLink kind="second" size="compact" href={`/portal/webhooks/${endpoint}`}>
              Clear filters
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </search>
  )
}

function olderAddress(endpoint: string, { state, type }: DeliveryView, cursor: string): string {
  const search = new URLSearchParams({ ...(state === null ? {} : { state }), ...(type === null ? {} : { type }), cursor })
  return `/portal/webhooks/${endpoint}?${search}`
}

type Props = { endpoint: string; view: DeliveryView; types: readonly string[] }

/** Deliveries to an endpoint, newest first, paginated. The newest page updates while it is visible. */
export function Deliveries({ endpoint, view, types }: Props) {
  const isLive = view.cursor === null
  const list = useTRPC().webhooks.deliveries.queryOptions({ id: endpoint, ...view }, { refetchInterval: isLive ? liveEveryMs : false })
  const { deliveries, next } = useSuspenseQuery(list).data
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-h2 font-semibold">
        Deliveries
      </h2>
      {isLive ? <p className="text-note text-ink-2">New deliveries appear automatically.</p> : null}
      <Filters endpoint={endpoint} view={view} types={types} />
      {deliveries.length === 0 ? (
        <p>{view.state === null && view.type === null ? 'No deliveries yet.' : 'No deliveries match.'}</p>
      ) : (
        <DataTable
          caption="Deliveries, newest first"
          rows={deliveries}
          rowKey={({ id }) => id}
          columns={[
            ...deliveryColumns(`/portal/webhooks/${endpoint}/deliveries`),
            { name: 'Credits', isNumber: true, cell: ({ chargedCredits }) => number(chargedCredits) },
          ]}
        />
      )}
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" size="compact" href={olderAddress(endpoint, view, next)}>
            Older deliveries
          </ButtonLink>
        </p>
      )}
    </section>
  )
}
