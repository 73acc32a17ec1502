'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Time, useTimeZone } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { number } from '#components/portal/amounts.ts'
import { deliveryColumns } from '#components/portal/webhooks/deliveries.tsx'
import { DeliveryInFull } from '#components/portal/webhooks/delivery-detail.tsx'
import { WebhookStateTag } from '#components/portal/webhooks/webhook-labels.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { eventTypes } from './event-types.ts'
import { ActionForm } from './kit/action-form.tsx'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { CopyId } from './kit/copy-id.tsx'
import { FilterBar } from './kit/filter-bar.tsx'
import { CellLink, Heading, type Outputs, Person, Section, WaitingSummary } from './kit/layout.tsx'
import { toHref } from './kit/search.ts'
import { failureLabels, type readFailureView } from './views.ts'

type View = ReturnType<typeof readFailureView>

/** Returns the URL of a list of failed deliveries with the given filters. */
const failureHref = (path: string, { kind, type, account }: Omit<View, 'after'>, after: string | null = null): string =>
  toHref(path, { state: kind === 'dead' ? null : kind, type, account, after })

type FiltersProps = { path: string; view: View; accountEmail?: string | null; results?: ReactNode }

/** Filters of failed deliveries. With `accountEmail`, they can be filtered by account too. */
function FailureFilters({ path, view, accountEmail, results }: FiltersProps) {
  const person = { name: 'account', label: 'Account', type: 'person', placeholder: 'name@example.com', value: accountEmail ?? null } as const
  return (
    <FilterBar
      path={path}
      button="Find deliveries"
      results={results}
      all="Show all failed deliveries"
      filters={[
        { name: 'state', label: 'State', value: view.kind, options: Object.entries(failureLabels) },
        { name: 'type', label: 'Event', any: 'All events', value: view.type, options: eventTypes.map((type) => [type, type] as const) },
        ...(accountEmail === undefined ? [] : [person]),
      ]}
    />
  )
}

type Failing = Outputs['deliveries']['list']['endpoints'][number]

/** Endpoints with failed deliveries, oldest delivery first. */
export function FailingEndpoints({ view }: { view: View }) {
  const { deliveries } = useTRPC().admin
  const { data: waiting } = useSuspenseQuery(deliveries.waiting.queryOptions({ kind: 'dead' }))
  const { data } = useSuspenseQuery(deliveries.list.queryOptions(view))
  const columns: readonly AdminColumn<Failing>[] = [
    {
      name: 'Endpoint',
      isHead: true,
      cell: ({ endpoint, url }) => <CellLink href={failureHref(`/admin/deliveries/${endpoint}`, { ...view, account: null })}>{url}</CellLink>,
    },
    { name: 'Account', cell: ({ account, email }) => <CellLink href={`/admin/accounts/${account}`}>{email}</CellLink> },
    { name: 'State', isBeside: true, cell: ({ state }) => <WebhookStateTag state={state} /> },
    { name: 'Last failure', cell: ({ lastStatus, lastFault }) => lastFault ?? (lastStatus === null ? '' : `HTTP ${lastStatus}`) },
    { name: 'Oldest', cell: ({ oldestAt }) => <Time at={oldestAt} look="row" /> },
    { name: 'Deliveries', isNumber: true, cell: ({ count }) => (count > data.maxCounted ? `More than ${number(data.maxCounted)}` : number(count)) },
  ]
  const isNarrowed = view.kind !== 'dead' || view.type !== null || view.account !== null
  return (
    <>
      <Heading title="Webhook deliveries" />
      <WaitingSummary {...waiting} one="endpoint with failed deliveries" many="endpoints with failed deliveries" />
      <FailureFilters
        path="/admin/deliveries"
        view={view}
        accountEmail={data.accountEmail}
        results={
          <AdminTable
            caption="Endpoints, oldest delivery first"
            rows={data.endpoints}
            rowKey={({ endpoint }) => endpoint}
            columns={columns}
            empty={isNarrowed ? 'No deliveries match.' : 'No failed deliveries.'}
            next={{ href: data.next === null ? null : failureHref('/admin/deliveries', view, data.next), name: 'More endpoints' }}
          />
        }
      />
    </>
  )
}

/** Reports how many deliveries are being redelivered. */
function redelivering({ count, skipped = 0, next = null }: { count: number; skipped?: number; next?: string | null }): string {
  if (count === 0) return 'Nothing to redeliver: the selected deliveries are already queued.'
  const sent = count === 1 ? 'Redelivering 1 delivery.' : `Redelivering ${number(count)} deliveries.`
  if (skipped > 0) return `${sent} Skipped ${number(skipped)} that ${skipped === 1 ? 'is' : 'are'} already queued.`
  return next === null ? sent : `${sent} More remain. Redeliver again to continue.`
}

type Reached = { readonly next: string | null; readonly from: string; readonly to: string }

/** Form that redelivers all deliveries of a time range. A long range takes several submissions, each of which continues after the previous one. */
function RangeForm({ endpoint }: { endpoint: string }) {
  const zone = useTimeZone().replaceAll('_', ' ')
  const [reached, setReached] = useState<Reached | null>(null)
  return (
    <ActionForm
      mutation={useTRPC().admin.deliveries.redeliverRange.mutationOptions()}
      name="range"
      input={{ endpoint }}
      button="Redeliver this range"
      isKept
      toInput={(values) => ({ ...values, after: reached?.from === values['from'] && reached?.to === values['to'] ? reached?.next : null })}
      done={(result, { from, to }) => {
        setReached({ next: result.next, from, to })
        return redelivering(result)
      }}
    >
      <div className="flex flex-wrap gap-5">
        <TextField name="from" label={`From (${zone})`} type="datetime-local" />
        <TextField name="to" label={`Before (${zone})`} type="datetime-local" />
      </div>
    </ActionForm>
  )
}

/** Failed deliveries to an endpoint, oldest first, with the forms that redeliver them. */
export function EndpointDeliveries({ endpoint, view }: { endpoint: string; view: View }) {
  const { deliveries } = useTRPC().admin
  const { data } = useSuspenseQuery(deliveries.endpoint.queryOptions({ endpoint, kind: view.kind, type: view.type, after: view.after }))
  const path = `/admin/deliveries/${endpoint}`
  const charging = 'Each chargeable event is charged once, on its first 2xx response.'
  return (
    <>
      <Heading title={data.url} back={{ href: '/admin/deliveries', name: 'Webhook deliveries' }}>
        <WebhookStateTag state={data.state} />
      </Heading>
      <p className="mb-6 wrap-anywhere">
        Endpoint <CopyId id={endpoint} /> of <Person id={data.account} email={data.email} />
      </p>
      <FailureFilters path={path} view={view} />
      <AdminTable
        caption="Deliveries, oldest first"
        rows={data.deliveries}
        rowKey={({ id }) => id}
        columns={deliveryColumns(path)}
        empty="No deliveries match."
        next={{ href: data.next === null ? null : failureHref(path, view, data.next), name: 'Later deliveries' }}
        bulk={{
          label: ({ type, event }) => `${type} ${event}`,
          idle: { button: 'Redeliver selected', hint: 'Select deliveries to redeliver them together.' },
          form: (selected, clear) => (
            <ActionForm
              mutation={deliveries.redeliverMany.mutationOptions()}
              name="selected"
              kind="primary"
              button={`Redeliver ${number(selected.length)} selected`}
              toInput={({ reason }) => ({ endpoint, deliveries: selected.map(({ id }) => id), reason })}
              done={(result) => {
                clear()
                return redelivering(result)
              }}
            >
              <p>Redelivers the selected events with the same IDs. {charging}</p>
            </ActionForm>
          ),
        }}
      />
      <div className="max-w-120">
        <Section id="again" title="Redeliver" lead={`Redelivers events in order, with the same IDs, to the customer’s server. ${charging}`}>
          <ActionForm
            mutation={deliveries.redeliverFailed.mutationOptions()}
            name="failed"
            input={{ endpoint }}
            button="Redeliver all failed deliveries"
            done={redelivering}
          />
          <div className="mt-8">
            <RangeForm endpoint={endpoint} />
          </div>
        </Section>
      </div>
    </>
  )
}

/** Webhook delivery with its attempts, and the form that redelivers it. */
export function AdminDelivery({ endpoint, delivery: id }: { endpoint: string; delivery: string }) {
  const { deliveries } = useTRPC().admin
  const { data: delivery } = useSuspenseQuery(deliveries.read.queryOptions({ endpoint, delivery: id }))
  const labels = {
    back: { href: `/admin/deliveries/${endpoint}`, label: 'Deliveries to this endpoint' },
    accountEvent: 'Free: an event about the account itself',
    owed: 'Not charged yet: the balance or monthly cap is too low',
    responseTitle: 'Response from the customer’s server',
  }
  const canGoAgain = delivery.state === 'delivered' || delivery.state === 'dead'
  return (
    <DeliveryInFull delivery={delivery} labels={labels}>
      {canGoAgain ? (
        <div className="mt-6 max-w-120">
          <ActionForm
            mutation={deliveries.redeliver.mutationOptions()}
            name="one"
            input={{ endpoint, delivery: id }}
            kind="primary"
            button="Redeliver"
            done="Delivery queued again."
          >
            <p className="text-pretty text-ink-2">
              Redelivers the event with the same ID to the customer’s server. A chargeable event is charged once, on its first 2xx response.
            </p>
          </ActionForm>
        </div>
      ) : null}
    </DeliveryInFull>
  )
}
