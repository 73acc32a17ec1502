'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ActionForm } from '../kit/action-form.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, Code, DescriptionList, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { AsOf, Brought, SourceTag } from './imports.tsx'

type Source = Outputs['imports']['source']
type Held = NonNullable<Source['held']>
type HeldFeed = NonNullable<Held['preview']>
type Fetch = Source['fetches'][number]
type RateMove = HeldFeed['rateMoves'][number]
type RowChange = HeldFeed['changes'][number]

const reason = { hint: 'Recorded in the audit log.' }
const percent = (bp: number) => `${(bp / 100).toFixed(2)}%`
const format = (value: unknown) => (value === null || value === undefined ? 'none' : String(value))
const changeLabels: Readonly<Record<string, string>> = {
  added: 'Added',
  changed: 'Changed',
  restored: 'Restored',
  withdrawn: 'Withdrawn',
  checked: 'URL checked',
}

/** Verbs for the effects of an import, most drastic first. */
const verbs = { withdrawn: 'withdraw', changed: 'change', added: 'add', restored: 'restore' } as const

/** Describes how many rows an import would add, change and withdraw. */
function describeCounts({ counts }: HeldFeed): string {
  const kinds = Object.keys(verbs) as (keyof typeof verbs)[]
  const effects = kinds.filter((kind) => counts[kind] > 0).map((kind) => `${verbs[kind]} ${number(counts[kind])}`)
  return effects.length === 0 ? 'change nothing' : effects.join(', ')
}

const moveColumns: readonly AdminColumn<RateMove>[] = [
  {
    name: 'Product',
    isHead: true,
    cell: ({ sourceKey, accountName }) => (
      <CellLink href={`/admin/products/${sourceKey}`} note={sourceKey}>
        {accountName}
      </CellLink>
    ),
    sort: ({ accountName }) => accountName,
  },
  { name: 'Before', isNumber: true, cell: ({ fromBp }) => percent(fromBp), sort: ({ fromBp }) => fromBp },
  { name: 'After', isNumber: true, cell: ({ toBp }) => percent(toBp), sort: ({ toBp }) => toBp },
  {
    name: 'Change',
    isNumber: true,
    cell: ({ fromBp, toBp }) => `${toBp < fromBp ? '−' : '+'}${(Math.abs(toBp - fromBp) / 100).toFixed(2)}`,
    sort: ({ fromBp, toBp }) => toBp - fromBp,
  },
]

const changeColumns: readonly AdminColumn<RowChange>[] = [
  { name: 'Row', isHead: true, cell: ({ key }) => <span className="font-mono wrap-anywhere sm:inline-block sm:min-w-56">{key}</span> },
  { name: 'Change', cell: ({ change }) => changeLabels[change] ?? change },
  {
    name: 'Fields',
    cell: ({ fields }) => <span className="wrap-anywhere">{fields.map(({ field, from, to }) => `${field} ${format(from)} → ${format(to)}`).join(', ')}</span>,
  },
]

/** Effects of a quarantined import, the reasons for the quarantine, and the forms that publish or decline it. */
function Quarantined({ held: { id, fetchedAt }, feed }: { held: Held; feed: HeldFeed }) {
  const { imports } = useTRPC().admin
  const { rows, reasons, rateMoves, changes } = feed
  return (
    <>
      <div className="mt-6">
        <Notice tone="caution" title="This import is quarantined">
          <p>
            Fetched on <Time at={fetchedAt} isStop /> with {number(rows)} rows. Nothing has been imported yet. Effect if you publish it: {describeCounts(feed)}.
          </p>
          <ul className="mt-2 list-disc pl-5">
            {reasons.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Notice>
      </div>
      {rateMoves.length === 0 ? null : (
        <Section id="rate-moves" title="Largest rate changes">
          <AdminTable caption="Largest rate changes" rows={rateMoves} rowKey={({ sourceKey }) => sourceKey} columns={moveColumns} empty="None." />
        </Section>
      )}
      {changes.length === 0 ? null : (
        <Section id="changes" title="Changes" lead="First rows of each kind of change.">
          <AdminTable
            caption="First rows of each kind of change"
            rows={changes}
            rowKey={({ change, key }) => `${change} ${key}`}
            columns={changeColumns}
            empty="None."
          />
        </Section>
      )}
      <Section
        id="publish"
        title="Publish"
        lead={`Imports the whole feed. Effect: ${describeCounts(feed)}. Callers see the changes on their next call, and webhooks are sent. You can’t undo this; only a later feed can replace it.`}
      >
        <ActionForm
          mutation={imports.publish.mutationOptions()}
          name="publish"
          input={{ feed: id }}
          kind="primary"
          button={`Publish ${number(rows)} rows`}
          reason={reason}
          done="Import published."
        />
      </Section>
      <Section id="decline" title="Decline" lead="Nothing is imported. The content of this feed is deleted, and the same content won’t be quarantined again.">
        <ActionForm
          mutation={imports.decline.mutationOptions()}
          name="decline"
          input={{ feed: id }}
          kind="danger"
          button="Decline this feed"
          reason={reason}
          done="Feed declined."
        />
      </Section>
    </>
  )
}

type FaultyLine = NonNullable<Held['faults']>['lines'][number]

const faultColumns: readonly AdminColumn<FaultyLine>[] = [
  { name: 'Line', isHead: true, cell: ({ line }) => number(line) },
  { name: 'Field', cell: ({ field }) => field ?? 'Entire line' },
  { name: 'Problem', cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span> },
]

/** Lines with errors in a rejected feed, which can't be published. */
function RejectedRows({ fetchedAt, faults: { count, lines } }: { fetchedAt: Date; faults: NonNullable<Held['faults']> }) {
  return (
    <Section id="rejected" title="Rejected rows">
      <p className="mb-3 max-w-prose text-pretty">
        The feed fetched on <Time at={fetchedAt} isStop /> has {number(count)} {count === 1 ? 'line' : 'lines'} with errors. Nothing was imported, and you can’t
        publish this feed. Ask the supplier to correct it.
      </p>
      <AdminTable
        caption="Rejected rows"
        rows={lines}
        rowKey={({ line, field, problem }) => `${line} ${field} ${problem}`}
        columns={faultColumns}
        empty="None."
      />
    </Section>
  )
}

function describe({ error, rows, changed }: Fetch): string {
  if (error !== null) return error
  return rows === null ? 'Unchanged since the last fetch.' : `${number(rows)} rows, ${number(changed ?? 0)} new or changed.`
}

const fetchColumns: readonly AdminColumn<Fetch>[] = [
  { name: 'When', isHead: true, cell: ({ at }) => <Time at={at} look="row" /> },
  { name: 'Result', cell: (fetch) => <span className="whitespace-pre-line wrap-anywhere">{describe(fetch)}</span> },
]

/** Source with its quarantined or rejected feed, a form that fetches it now, and its recent fetches. */
export function SourcePage({ source }: { source: string }) {
  const { imports } = useTRPC().admin
  const { data } = useSuspenseQuery(imports.source.queryOptions({ source }))
  const { line, held, order, fetches } = data
  return (
    <>
      <Heading title={line.title} back={{ href: '/admin/imports', name: 'Imports' }}>
        <SourceTag {...line} />
      </Heading>
      <DescriptionList
        items={[
          ['Name', <Code key="name">{line.name}</Code>],
          ['URL', <Code key="url">{line.url}</Code>],
          ['Last data', <Brought key="data" {...line} />],
          ['As of', <AsOf key="as-of" {...line} />],
          ['Next fetch', <Time key="next" at={line.nextAt} isStop />],
          [
            'Requested',
            order === null ? null : (
              <span key="order">
                <Time at={order.orderedAt} isStop />. {order.settledAt === null ? 'Fetching.' : order.outcome}
              </span>
            ),
          ],
        ]}
      />
      <div className="[&_form]:max-w-prose">
        {held?.state === 'waiting' && held.preview ? <Quarantined held={held} feed={held.preview} /> : null}
        {held?.state === 'refused' && held.faults ? <RejectedRows fetchedAt={held.fetchedAt} faults={held.faults} /> : null}
        <Section
          id="fetch"
          title="Fetch now"
          lead="The worker fetches the source within seconds, even if no fetch is due. An import with unusually large changes is still quarantined."
        >
          <ActionForm mutation={imports.fetch.mutationOptions()} name="fetch" input={{ source }} button="Fetch now" reason={reason} done="Fetch requested." />
        </Section>
      </div>
      <Section id="fetches" title="Recent fetches">
        <AdminTable
          caption="Recent fetches, newest first"
          rows={fetches}
          rowKey={({ at }) => at.toISOString()}
          columns={fetchColumns}
          empty="No fetches yet."
        />
      </Section>
    </>
  )
}
