'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Chevron } from '#components/ui/chevron.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { FigureTable } from './imports.tsx'

type Quality = Outputs['boards']['quality']
type Row<Kind extends 'high' | 'moved' | 'noLogo' | 'unlinked'> = Quality[Kind]['rows'][number]

const percent = (bp: number) => `${(bp / 100).toFixed(2)}%`
const points = (bp: number) => `${(bp / 100).toFixed(2)} percentage points`

/** Titles of the checks, by the id of their section. */
const titles = {
  stale: 'Stale sources',
  figures: 'Outdated public statistics',
  'tax-years': 'Expiring tax years',
  high: 'Rates too far above Bank Rate',
  zero: 'Products with a zero rate',
  moved: 'Sudden rate changes',
  logos: 'Providers without a logo',
  fscs: 'FSCS brands without a provider',
} as const

type CheckId = keyof typeof titles

type FaultsProps<One> = {
  id: CheckId
  rule: string
  some: { readonly rows: readonly One[]; readonly total: number }
  columns: readonly AdminColumn<One>[]
  rowKey: (row: One) => string
}

/** One kind of data error: its rule, the total, and the first rows. Renders nothing if there are none. */
function Faults<One>({ id, rule, some: { rows, total }, columns, rowKey }: FaultsProps<One>) {
  if (total === 0) return null
  const title = titles[id]
  const shown = total > rows.length ? ` Showing the first ${number(rows.length)} of ${number(total)}.` : ''
  return (
    <Section id={id} title={`${title} (${number(total)})`} lead={`${rule}${shown}`}>
      <AdminTable caption={title} columns={columns} rows={rows} rowKey={rowKey} empty="None." />
    </Section>
  )
}

type Named = { readonly sourceKey: string; readonly accountName: string }

const product = {
  name: 'Product',
  isHead: true,
  cell: ({ sourceKey, accountName }: Named) => <CellLink href={`/admin/products/${sourceKey}`}>{accountName}</CellLink>,
  sort: ({ accountName }: Named) => accountName,
} as const

const getSourceKey = ({ sourceKey }: Named) => sourceKey

const rateColumns: readonly AdminColumn<Row<'high'>>[] = [
  product,
  { name: 'Provider', cell: ({ provider }) => provider, sort: ({ provider }) => provider },
  { name: 'Rate', isNumber: true, cell: ({ rateBp }) => percent(rateBp), sort: ({ rateBp }) => rateBp },
]

const movedColumns: readonly AdminColumn<Row<'moved'>>[] = [
  product,
  { name: 'Before', isNumber: true, cell: ({ fromBp }) => percent(fromBp), sort: ({ fromBp }) => fromBp },
  { name: 'After', isNumber: true, cell: ({ toBp }) => percent(toBp), sort: ({ toBp }) => toBp },
  { name: 'When', cell: ({ at }) => <Time at={at} look="row" />, sort: ({ at }) => at.getTime() },
]

const staleColumns: readonly AdminColumn<Quality['stale'][number]>[] = [
  { name: 'Source', isHead: true, cell: ({ name, title }) => <CellLink href={`/admin/imports/${name}`}>{title}</CellLink> },
  { name: 'As of', cell: ({ asOf }) => asOf ?? 'Unknown' },
  { name: 'Maximum age', isNumber: true, cell: ({ freshDays }) => `${number(freshDays)} days` },
]

const taxYearColumns: readonly AdminColumn<NonNullable<Quality['lastTaxYear']>>[] = [
  { name: 'Tax year', isHead: true, cell: ({ taxYear }) => taxYear },
  { name: 'Ends on', cell: ({ endsOn }) => endsOn },
]

const logoColumns: readonly AdminColumn<Row<'noLogo'>>[] = [
  { name: 'Provider', isHead: true, cell: ({ slug, name }) => <CellLink href={`/providers/${slug}`}>{name}</CellLink>, sort: ({ name }) => name },
  { name: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
]

const brandColumns: readonly AdminColumn<Row<'unlinked'>>[] = [
  {
    name: 'Brand',
    isHead: true,
    cell: ({ brand }) => <CellLink href={`/admin/products?q=${encodeURIComponent(brand)}`}>{brand}</CellLink>,
    sort: ({ brand }) => brand,
  },
  { name: 'Firm', cell: ({ legalName }) => legalName, sort: ({ legalName }) => legalName },
]

/** Implausible rates, with the thresholds of each rule. */
function Rates({ rules: { aboveBankRateBp, suddenMove, bankRateBp }, high, zero, moved }: Quality) {
  const bankRate = bankRateBp === null ? 'Bank Rate (currently unknown)' : `Bank Rate (${percent(bankRateBp)})`
  const highRule = `More than ${points(aboveBankRateBp.other)} above ${bankRate}; regular savers more than ${points(aboveBankRateBp.regularSaver)}.`
  const moveRule = `A change of ${points(suddenMove.leastBp)} or more within the last ${suddenMove.days} days.`
  return (
    <>
      <Faults id="high" rule={highRule} some={high} columns={rateColumns} rowKey={getSourceKey} />
      <Faults id="zero" rule="Listed at 0.00%." some={zero} columns={rateColumns} rowKey={getSourceKey} />
      <Faults id="moved" rule={moveRule} some={moved} columns={movedColumns} rowKey={getSourceKey} />
    </>
  )
}

/** Number of passed checks. Their titles are collapsed. */
function Passed({ ids }: { ids: readonly CheckId[] }) {
  if (ids.length === 0) return null
  return (
    <details className="group mt-10 rounded-panel border border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 [&::-webkit-details-marker]:hidden">
        <CircleCheck aria-hidden="true" className="size-4 text-good" />
        <span className="grow font-medium">{`${number(ids.length)} ${ids.length === 1 ? 'check' : 'checks'} passed`}</span>
        <Chevron />
      </summary>
      <ul className="space-y-1 border-t border-line px-4 py-3 text-ink-2">
        {ids.map((id) => (
          <li key={id}>{titles[id]}</li>
        ))}
      </ul>
    </details>
  )
}

/** Stale, missing and implausible data of the live market. Failed checks come first. */
export function QualityBoard() {
  const { data } = useSuspenseQuery(useTRPC().admin.boards.quality.queryOptions())
  const { stale, figures, lastTaxYear, noLogo, unlinked } = data
  const taxYears = lastTaxYear === null ? [] : [lastTaxYear]
  const totals: Readonly<Record<CheckId, number>> = {
    stale: stale.length,
    figures: figures.length,
    'tax-years': taxYears.length,
    high: data.high.total,
    zero: data.zero.total,
    moved: data.moved.total,
    logos: noLogo.total,
    fscs: unlinked.total,
  }
  const passed = (Object.keys(titles) as CheckId[]).filter((id) => totals[id] === 0)
  return (
    <>
      <Heading title="Data quality" />
      <Faults
        id="stale"
        rule="Sources whose latest data is older than their schedule allows."
        some={{ rows: stale, total: stale.length }}
        columns={staleColumns}
        rowKey={({ name }) => name}
      />
      {figures.length === 0 ? null : (
        <Section
          id="figures"
          title={`${titles.figures} (${number(figures.length)})`}
          lead="Statistics whose latest value is older than the publisher’s schedule allows. The status page shows them as out of date."
        >
          <FigureTable figures={figures} />
        </Section>
      )}
      <Faults
        id="tax-years"
        rule="The last supported tax year has started. After it ends, calculator calls must specify a tax year until a release adds the next one."
        some={{ rows: taxYears, total: taxYears.length }}
        columns={taxYearColumns}
        rowKey={({ taxYear }) => taxYear}
      />
      <Rates {...data} />
      <Faults
        id="logos"
        rule="Listed providers with no logo colour in the feed. Their logos can’t be generated without one."
        some={noLogo}
        columns={logoColumns}
        rowKey={({ slug }) => slug}
      />
      <Faults
        id="fscs"
        rule="FSCS brands that match no listed provider. The API returns null for their providerSlug."
        some={unlinked}
        columns={brandColumns}
        rowKey={({ brand }) => brand}
      />
      <Passed ids={passed} />
    </>
  )
}
