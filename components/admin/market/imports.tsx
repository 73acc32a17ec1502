'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { FreshnessNotice } from './freshness.tsx'

type Morning = Outputs['imports']['morning']
type Source = Morning['sources'][number]
type Import = Morning['imports'][number]

const looks = {
  arrived: { tone: 'good', label: 'Arrived' },
  held: { tone: 'caution', label: 'Quarantined' },
  failed: { tone: 'danger', label: 'Failed' },
  due: { tone: 'plain', label: 'Not yet' },
} as const

/** State of today's fetch from a source. */
export function SourceTag({ state }: Pick<Source, 'state'>) {
  return <Tag tone={looks[state].tone}>{looks[state].label}</Tag>
}

/** Time and row counts of a source's last successful fetch. */
export function Brought({ broughtAt, rows, changed }: Pick<Source, 'broughtAt' | 'rows' | 'changed'>) {
  if (broughtAt === null) return 'Nothing yet'
  return (
    <>
      <Time at={broughtAt} look="row" />
      <span className="block text-note text-ink-2">
        {number(rows ?? 0)} rows, {number(changed ?? 0)} changed
      </span>
    </>
  )
}

export function AsOf({ asOf, stale }: Pick<Source, 'asOf' | 'stale'>) {
  return (
    <>
      {asOf ?? '–'} {stale ? <Tag tone="caution">Out of date</Tag> : null}
    </>
  )
}

const sourceColumns: readonly AdminColumn<Source>[] = [
  {
    name: 'Source',
    isHead: true,
    cell: ({ name, title }) => <CellLink href={`/admin/imports/${name}`}>{title}</CellLink>,
    sort: ({ title }) => title,
  },
  { name: 'Today', cell: (source) => <SourceTag {...source} />, sort: ({ state }) => looks[state].label },
  { name: 'Last data', cell: (source) => <Brought {...source} />, sort: ({ broughtAt }) => broughtAt?.getTime() ?? 0 },
  { name: 'As of', cell: (source) => <AsOf {...source} />, sort: ({ asOf }) => asOf ?? '' },
  { name: 'Next fetch', cell: ({ isOrdered, nextAt }) => (isOrdered ? 'Fetching' : <Time at={nextAt} look="row" />) },
]

type Figure = Outputs['imports']['morning']['figures'][number]

const figureColumns: readonly AdminColumn<Figure>[] = [
  { name: 'Statistic', isHead: true, cell: ({ figure }) => figure },
  { name: 'Publisher', cell: ({ source }) => source },
  { name: 'As of', isBeside: true, cell: ({ asOf, isStale }) => <AsOf asOf={asOf} stale={isStale} /> },
]

/** Public figures of the status page, with the dates of their latest values. */
export function FigureTable({ figures }: { figures: readonly Figure[] }) {
  return <AdminTable caption="Public statistics" rows={figures} rowKey={({ figure }) => figure} columns={figureColumns} empty="None." />
}

const importColumns: readonly AdminColumn<Import>[] = [
  { name: 'When', isHead: true, cell: ({ at }) => <Time at={at} look="row" /> },
  { name: 'Feed', cell: ({ fileName, isSeed }) => `${fileName}${isSeed ? ', bundled' : ''}` },
  ...(['rows', 'added', 'changed', 'withdrawn'] as const).map((count) => ({
    name: `${count.slice(0, 1).toUpperCase()}${count.slice(1)}`,
    isNumber: true,
    cell: (row: Import) => number(row[count]),
    sort: (row: Import) => row[count],
  })),
]

/** Sources with the state of today's fetch, and the latest imports, including manual and bundled ones. */
export function Imports() {
  const { data } = useSuspenseQuery(useTRPC().admin.imports.morning.queryOptions())
  const { sources, imports, figures } = data
  return (
    <>
      <Heading title="Imports" />
      <FreshnessNotice morning={data} />
      <Section id="sources" title="Sources">
        <AdminTable caption="Sources" rows={sources} rowKey={({ name }) => name} columns={sourceColumns} empty="No sources." />
      </Section>
      <Section id="figures" title="Public statistics" lead="As shown on the status page.">
        <FigureTable figures={figures} />
      </Section>
      <Section id="imports" title="Recent imports">
        <AdminTable caption="Recent imports" rows={imports} rowKey={({ id }) => String(id)} columns={importColumns} empty="No imports yet." />
      </Section>
    </>
  )
}
