import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Notice } from '#components/ui/notice.tsx'
import { Tag } from '#components/ui/tag.tsx'

type SourceState = 'arrived' | 'held' | 'failed' | 'due'

const looks = {
  arrived: { tone: 'good', label: 'Arrived' },
  held: { tone: 'caution', label: 'Quarantined' },
  failed: { tone: 'danger', label: 'Failed' },
  due: { tone: 'plain', label: 'Not yet' },
} as const

/** State of today's fetch from a source. */
export function SourceTag({ state }: { state: SourceState }) {
  return <Tag tone={looks[state].tone}>{looks[state].label}</Tag>
}

export type ShownSource = {
  readonly name: string
  readonly title: string
  readonly state: SourceState
  readonly triedAt: Date | null
  readonly broughtAt: Date | null
  readonly rows: number | null
  readonly changed: number | null
  readonly asOf: string | null
  readonly stale: boolean
  readonly nextAt: Date
  readonly isOrdered: boolean
}

/** Time and row counts of a source's last successful fetch. */
export function Brought({ broughtAt, rows, changed }: Pick<ShownSource, 'broughtAt' | 'rows' | 'changed'>) {
  if (broughtAt === null) return 'Nothing yet'
  return (
    <>
      <Time at={broughtAt} look="row" />
      <span className="block text-note text-ink-2">
        {number(rows ?? 0)} rows, {number(changed ?? 0)} new or changed
      </span>
    </>
  )
}

export function AsOf({ asOf, stale }: Pick<ShownSource, 'asOf' | 'stale'>) {
  return (
    <>
      {asOf ?? 'Unknown'} {stale ? <Tag tone="caution">Stale</Tag> : null}
    </>
  )
}

/** All sources, each with the state of today's fetch. */
export function SourceTable({ sources }: { sources: readonly ShownSource[] }) {
  if (sources.length === 0) return <p>No sources.</p>
  return (
    <DataTable
      caption="Sources"
      rows={sources}
      rowKey={({ name }) => name}
      columns={[
        {
          name: 'Source',
          isHead: true,
          cell: ({ name, title }) => (
            <>
              <a className="prose-link" href={`/admin/imports/${name}`}>
                {title}
              </a>
              <span className="block font-mono text-note font-normal text-ink-2">{name}</span>
            </>
          ),
        },
        { name: 'Today', cell: ({ state }) => <SourceTag state={state} /> },
        { name: 'Last data', cell: (source) => <Brought {...source} /> },
        { name: 'As of', cell: (source) => <AsOf {...source} /> },
        { name: 'Next', cell: ({ isOrdered, nextAt }) => (isOrdered ? 'Fetching' : <Time at={nextAt} look="row" />) },
      ]}
    />
  )
}

type ShownImport = {
  readonly id: number
  readonly kind: string
  readonly fileName: string
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly withdrawn: number
  readonly isSeed: boolean
  readonly at: Date
}

/** Latest imports into the live market, including manual and bundled ones. */
export function ImportTable({ imports }: { imports: readonly ShownImport[] }) {
  if (imports.length === 0) return <p>No imports yet.</p>
  return (
    <DataTable
      caption="Recent imports"
      rows={imports}
      rowKey={({ id }) => String(id)}
      columns={[
        { name: 'When', isHead: true, cell: ({ at }) => <Time at={at} look="row" /> },
        { name: 'Feed', cell: ({ fileName, isSeed }) => `${fileName}${isSeed ? ', bundled' : ''}` },
        { name: 'Rows', isNumber: true, cell: ({ rows }) => number(rows) },
        { name: 'Added', isNumber: true, cell: ({ added }) => number(added) },
        { name: 'Changed', isNumber: true, cell: ({ changed }) => number(changed) },
        { name: 'Withdrawn', isNumber: true, cell: ({ withdrawn }) => number(withdrawn) },
      ]}
    />
  )
}

type Props = { since: Date; sources: readonly { readonly state: SourceState; readonly triedAt: Date | null }[]; lastImport: Date | null }

const question = 'Has this morning’s data arrived?'

function rest(sources: Props['sources']): string {
  const count = (state: SourceState) => sources.filter((one) => one.state === state).length
  const parts = [
    [count('held'), 'quarantined'],
    [count('failed'), 'failed'],
    [count('due'), 'not tried yet'],
  ] as const
  return parts.flatMap(([total, label]) => (total === 0 ? [] : [`${total} ${label}`])).join(', ')
}

/** Shown if no automatic imports are configured. */
function ByHand({ lastImport }: Pick<Props, 'lastImport'>) {
  return (
    <>
      No automatic imports configured: <code className="font-mono">MARKET_SOURCES</code> is empty.{' '}
      {lastImport === null ? (
        'Nothing has been imported yet.'
      ) : (
        <>
          Last import: <Time at={lastImport} />.
        </>
      )}
    </>
  )
}

const newest = (sources: Props['sources']) =>
  sources.reduce<Date | null>((last, { triedAt }) => (triedAt && (last === null || triedAt > last) ? triedAt : last), null)

function Answer({ since, sources, lastImport }: Props): ReactNode {
  if (sources.length === 0) return <ByHand lastImport={lastImport} />
  const arrived = sources.filter(({ state }) => state === 'arrived').length
  if (arrived < sources.length) {
    return (
      <>
        No. {arrived} of {sources.length} {sources.length === 1 ? 'source' : 'sources'} arrived since <Time at={since} />: {rest(sources)}.
      </>
    )
  }
  return (
    <>
      Yes. {arrived === 1 ? 'The only source has' : `All ${arrived} sources have`} arrived since <Time at={since} />, the last at{' '}
      <Time at={newest(sources) ?? since} look="clock" />.
    </>
  )
}

/** Notice that says whether today's data has arrived. */
export function Morning(props: Props) {
  const { sources } = props
  const tone = sources.length === 0 ? 'info' : sources.every(({ state }) => state === 'arrived') ? 'good' : 'caution'
  return (
    <Notice tone={tone} title={question}>
      <p>
        <Answer {...props} />
      </p>
    </Notice>
  )
}
