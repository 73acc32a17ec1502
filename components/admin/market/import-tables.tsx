import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Tag } from '#components/ui/tag.tsx'
import { type SourceState, SourceTag } from './source-tag.tsx'

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

/** All sources with today's state. */
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
  readonly id: string
  readonly kind: string
  readonly fileName: string
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly withdrawn: number
  readonly isSeed: boolean
  readonly at: Date
}

/** Latest imports into the live market, from any origin. */
export function ImportTable({ imports }: { imports: readonly ShownImport[] }) {
  if (imports.length === 0) return <p>No imports yet.</p>
  return (
    <DataTable
      caption="Last imports"
      rows={imports}
      rowKey={({ id }) => id}
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
