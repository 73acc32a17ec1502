import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { deliveryColumns, type ShownDelivery } from '#components/portal/webhooks/deliveries.tsx'
import { DeliveryInFull, type ShownDeliveryInFull } from '#components/portal/webhooks/delivery-detail.tsx'
import { WebhookStateTag } from '#components/portal/webhooks/webhook-labels.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { type EventType, eventTypes, type WebhookState } from '#server/api/contract/webhooks.ts'
import { filterBox, Labelled } from './section.tsx'

/** Kinds of failed deliveries, in the order of the filter. */
const failureKinds = ['dead', 'retrying', 'held'] as const

type FailureKind = (typeof failureKinds)[number]

const failureLabels: Readonly<Record<FailureKind, string>> = { dead: 'Dead', retrying: 'Retrying', held: 'Waiting for credits' }

/** Filters of failed deliveries, from the query string. */
export type FailureView = { readonly kind: FailureKind; readonly type: EventType | null; readonly account: string | null; readonly after: string | null }

type Search = Readonly<Record<string, string | string[] | undefined>>

const formed = (value: string | string[] | undefined, form: RegExp): string | null =>
  typeof value === 'string' && form.test(value.trim()) ? value.trim() : null

export const readFailureView = (search: Search): FailureView => ({
  kind: failureKinds.find((kind) => kind === search['state']) ?? 'dead',
  type: eventTypes.find((type) => type === search['type']) ?? null,
  account: formed(search['account'], /^acc_[0-9A-Za-z]{1,60}$/),
  after: formed(search['after'], /^\d{1,18}$/),
})

/** Returns the URL of a list of failed deliveries with the given filters. */
function failureHref(path: string, { kind, type, account }: Omit<FailureView, 'after'>, after: string | null = null): string {
  const set = Object.entries({ state: kind === 'dead' ? null : kind, type, account, after }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}

type Props = { endpoint: string; view: FailureView; deliveries: readonly ShownDelivery[]; next: string | null }

/** Failed deliveries to an endpoint, oldest first. */
export function FailedDeliveries({ endpoint, view, deliveries, next }: Props) {
  const path = `/admin/deliveries/${endpoint}`
  if (deliveries.length === 0) return <p>No deliveries match.</p>
  return (
    <>
      <DataTable caption="Deliveries, oldest first" rows={deliveries} rowKey={({ id }) => id} columns={deliveryColumns(path)} />
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

type Failing = {
  readonly endpoint: string
  readonly account: string
  readonly url: string
  readonly state: WebhookState
  readonly oldestAt: Date
  readonly count: number
}

type FailingEndpointsProps = { view: FailureView; endpoints: readonly Failing[]; maxCounted: number; next: string | null }

/** Endpoints with failed deliveries, oldest delivery first. */
export function FailingEndpoints({ view, endpoints, maxCounted, next }: FailingEndpointsProps) {
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

/** Filters of failed deliveries. A GET form, so it works without JavaScript. `hasAccount` adds a filter by account. */
export function FailureFilters({ path, view, hasAccount }: { path: string; view: FailureView; hasAccount: boolean }) {
  return (
    <search>
      <form action={path} className="mb-4 grid grid-cols-1 items-end gap-3 border-y border-line py-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.5fr_auto]">
        <Labelled label="State">
          <select name="state" defaultValue={view.kind} className={filterBox}>
            {failureKinds.map((kind) => (
              <option key={kind} value={kind}>
                {failureLabels[kind]}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Event">
          <select name="type" defaultValue={view.type ?? ''} className={filterBox}>
            <option value="">All events</option>
            {eventTypes.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </Labelled>
        {hasAccount ? (
          <Labelled label="Account">
            <input
              name="account"
              defaultValue={view.account ?? ''}
              placeholder="acc_…"
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="none"
              maxLength={64}
              className={`${filterBox} font-mono`}
            />
          </Labelled>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button kind="second" type="submit">
            Find deliveries
          </Button>
          {view.type === null && view.account === null && view.kind === 'dead' ? null : (
            <ButtonLink kind="second" href={path}>
              Show all dead deliveries
            </ButtonLink>
          )}
        </div>
      </form>
    </search>
  )
}

/** Admin view of a webhook delivery. */
export function AdminDelivery({ delivery, children }: { delivery: ShownDeliveryInFull; children: ReactNode }) {
  const { endpoint } = delivery
  const labels = {
    back: { href: `/admin/deliveries/${endpoint}`, label: endpoint },
    accountEvent: 'Free: an event about the account itself',
    owed: 'Owed: the balance was too low, so it is charged to the next top-up',
    responseTitle: 'Response of the customer’s server',
  }
  return (
    <DeliveryInFull delivery={delivery} labels={labels}>
      {children}
    </DeliveryInFull>
  )
}
