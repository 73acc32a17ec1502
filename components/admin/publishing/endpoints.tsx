'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { AvailabilityTags } from '#components/docs/availability-tags.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { ActionForm } from '../kit/action-form.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, DescriptionList, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { availabilitySteps as steps } from '../views.ts'
import { accountCount, reason } from './drafts.tsx'

type Endpoint = Outputs['endpoints']['read']
type Availability = Endpoint['now']

const labels = { open: 'Open', 'test-only': 'Test only', 'coming-soon': 'Coming soon' } as const satisfies Record<Availability, string>

const all = Object.keys(steps) as Availability[]

const columns: readonly AdminColumn<Endpoint>[] = [
  {
    name: 'Endpoint',
    isHead: true,
    cell: ({ id, name }) => (
      <CellLink href={`/admin/endpoints/${id}`}>
        <Path text={name} />
      </CellLink>
    ),
    sort: ({ name }) => name,
  },
  { name: 'Cost', cell: ({ cost }) => cost, sort: ({ cost }) => cost },
  {
    name: 'Now',
    isBeside: true,
    cell: ({ now, plan, override, catalogue }) => (
      <span className="inline-flex flex-wrap items-baseline gap-1">
        <AvailabilityTags availability={labels[now]} plan={plan} />
        {override === null ? null : <span className="text-note text-ink-2">default: {labels[catalogue].toLowerCase()}</span>}
      </span>
    ),
    sort: ({ now }) => now,
  },
]

/** All endpoints with their default and current availability. */
export function EndpointTable() {
  const { data } = useSuspenseQuery(useTRPC().admin.endpoints.list.queryOptions())
  return (
    <>
      <Heading title="Endpoints" />
      <AdminTable caption="Endpoints" columns={columns} rows={data} rowKey={({ id }) => id} empty="No endpoints." />
    </>
  )
}

/** Links for changing an endpoint's availability. Each opens a preview; nothing changes until it is confirmed. */
function AvailabilityChoice({ endpoint: { id, now, catalogue, isPlanned } }: { endpoint: Endpoint }) {
  if (isPlanned) return <p className="mt-6">This endpoint isn’t built yet, so it can’t be enabled.</p>
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      {all
        .filter((to) => to !== now)
        .map((to) => (
          <ButtonLink key={to} kind="second" href={`/admin/endpoints/${id}?to=${to}`}>
            {steps[to]}
            {to === catalogue ? ' (default)' : ''}
          </ButtonLink>
        ))}
    </p>
  )
}

/** Preview of an availability change, with the form that publishes it. */
function AvailabilityForm({ endpoint: { id, now }, to }: { endpoint: Endpoint; to: Availability }) {
  const { endpoints } = useTRPC().admin
  const { data: draft } = useSuspenseQuery(endpoints.draft.queryOptions({ endpoint: id, to }))
  const page = `/admin/endpoints/${id}`
  return (
    <Section id="change" title={steps[to]} lead="Takes effect on the next request. Docs, tools and prices are updated too.">
      <p className="mb-5">
        Before: <strong className="font-semibold">{labels[now]}</strong>. After: <strong className="font-semibold">{labels[to]}</strong>.
      </p>
      <div className="max-w-152">
        <ActionForm
          mutation={endpoints.setAvailability.mutationOptions()}
          name="availability"
          input={{ endpoint: id, from: now, to }}
          kind="primary"
          button={`${steps[to]} and email ${accountCount(draft.recipientCount)}`}
          reason={reason}
          done={() => goTo(page)}
        >
          <TextField name="title" label="Changelog title" defaultValue={draft.title} hint="One line. Put API names in backticks." />
          <TextAreaField
            name="body"
            label="Changelog text"
            rows={6}
            defaultValue={draft.body}
            hint="Markdown. Published to the page and the feed immediately."
          />
        </ActionForm>
        <p className="mt-4">
          <a className="prose-link" href={page}>
            Cancel
          </a>
        </p>
      </div>
    </Section>
  )
}

/** Availability of an endpoint. `to` is the change to preview. */
export function EndpointPage({ id, to }: { id: string; to: Availability | null }) {
  const { data: endpoint } = useSuspenseQuery(useTRPC().admin.endpoints.read.queryOptions({ endpoint: id }))
  const { name, summary, cost, plan, catalogue, now, override, isPlanned } = endpoint
  return (
    <>
      <Heading title={name} back={{ href: '/admin/endpoints', name: 'Endpoints' }} />
      <DescriptionList
        items={[
          ['Summary', summary],
          ['Cost', cost],
          ['Plan', plan ?? 'All plans'],
          ['Default', labels[catalogue]],
          ['Now', `${labels[now]}${override === null ? '' : ' (override)'}`],
        ]}
      />
      {to === null || to === now || isPlanned ? <AvailabilityChoice endpoint={endpoint} /> : <AvailabilityForm endpoint={endpoint} to={to} />}
    </>
  )
}
