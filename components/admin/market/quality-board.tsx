import type { ReactNode } from 'react'
import { type Column, DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { AdminSection } from '../section.tsx'

type Some<Row> = { readonly rows: readonly Row[]; readonly total: number }
type Rate = { readonly sourceKey: string; readonly accountName: string; readonly provider: string; readonly rateBp: number }
type Moved = { readonly sourceKey: string; readonly accountName: string; readonly fromBp: number; readonly toBp: number; readonly at: Date }
type Stale = { readonly name: string; readonly title: string; readonly asOf: string | null; readonly freshDays: number }
type TaxYearEnd = { readonly taxYear: string; readonly endsOn: string }

export type ShownQuality = {
  readonly rules: {
    readonly aboveBankRateBp: { readonly regularSaver: number; readonly other: number }
    readonly suddenMove: { readonly leastBp: number; readonly days: number }
    readonly bankRateBp: number | null
  }
  readonly stale: readonly Stale[]
  readonly lastTaxYear: TaxYearEnd | null
  readonly high: Some<Rate>
  readonly zero: Some<Rate>
  readonly moved: Some<Moved>
  readonly noLogo: Some<{ readonly slug: string; readonly name: string }>
  readonly unlinked: Some<{ readonly brand: string; readonly legalName: string }>
}

const percent = (bp: number) => `${(bp / 100).toFixed(2)}%`
const points = (bp: number) => `${(bp / 100).toFixed(2)} points`

type ListProps<Row> = { id: string; title: string; rule: string; some: Some<Row>; columns: readonly Column<Row>[]; rowKey: (row: Row) => string }

/** One kind of data error: its rule, the total, and the first rows. */
function Faults<Row>({ id, title, rule, some, columns, rowKey }: ListProps<Row>) {
  const { rows, total } = some
  return (
    <AdminSection id={id} title={`${title} (${number(total)})`}>
      <p className="mb-3 max-w-prose text-pretty text-ink-2">
        {rule}
        {total > rows.length ? ` Showing the first ${number(rows.length)} of ${number(total)}.` : ''}
      </p>
      {rows.length === 0 ? <p>None.</p> : <DataTable caption={title} columns={columns} rows={rows} rowKey={rowKey} />}
    </AdminSection>
  )
}

const link = (href: string, children: ReactNode) => (
  <a className="prose-link" href={href}>
    {children}
  </a>
)

const productLink = ({ sourceKey, accountName }: { readonly sourceKey: string; readonly accountName: string }) =>
  link(`/admin/products/${sourceKey}`, accountName)

const rateColumns: readonly Column<Rate>[] = [
  { name: 'Product', isHead: true, cell: productLink },
  { name: 'Provider', cell: ({ provider }) => provider },
  { name: 'Rate', isNumber: true, cell: ({ rateBp }) => percent(rateBp) },
]

function Rates({ rules, high, zero, moved }: Pick<ShownQuality, 'rules' | 'high' | 'zero' | 'moved'>) {
  const { aboveBankRateBp, suddenMove, bankRateBp } = rules
  const bankRate = bankRateBp === null ? 'Bank Rate (currently unknown)' : `Bank Rate (${percent(bankRateBp)})`
  const getSourceKey = ({ sourceKey }: { readonly sourceKey: string }) => sourceKey
  return (
    <>
      <Faults
        id="high"
        title="Rates too far above Bank Rate"
        rule={`More than ${points(aboveBankRateBp.other)} above ${bankRate}; regular savers more than ${points(aboveBankRateBp.regularSaver)}.`}
        some={high}
        columns={rateColumns}
        rowKey={getSourceKey}
      />
      <Faults id="zero" title="Products with a zero rate" rule="Listed at 0.00%." some={zero} columns={rateColumns} rowKey={getSourceKey} />
      <Faults
        id="moved"
        title="Sudden rate changes"
        rule={`A change of ${points(suddenMove.leastBp)} or more within the last ${suddenMove.days} days.`}
        some={moved}
        columns={[
          { name: 'Product', isHead: true, cell: productLink },
          { name: 'Before', isNumber: true, cell: ({ fromBp }) => percent(fromBp) },
          { name: 'After', isNumber: true, cell: ({ toBp }) => percent(toBp) },
          { name: 'When', cell: ({ at }) => <Time at={at} look="row" /> },
        ]}
        rowKey={getSourceKey}
      />
    </>
  )
}

/** Shows a warning after the last supported tax year has started. The rules for a new tax year ship with a release. */
function TaxYears({ lastTaxYear }: Pick<ShownQuality, 'lastTaxYear'>) {
  const rows = lastTaxYear === null ? [] : [lastTaxYear]
  return (
    <Faults
      id="tax-years"
      title="Expiring tax years"
      rule="Appears here once the last supported tax year has started. After it ends, calculator calls must specify a tax year until a release adds the next one."
      some={{ rows, total: rows.length }}
      columns={[
        { name: 'Tax year', isHead: true, cell: ({ taxYear }) => taxYear },
        { name: 'Ends on', cell: ({ endsOn }) => endsOn },
      ]}
      rowKey={({ taxYear }) => taxYear}
    />
  )
}

/** Stale, missing and implausible data of the live market. */
export function QualityBoard({ stale, lastTaxYear, noLogo, unlinked, ...rates }: ShownQuality) {
  return (
    <>
      <Faults
        id="stale"
        title="Stale sources"
        rule="The latest data of the source is older than its schedule allows."
        some={{ rows: stale, total: stale.length }}
        columns={[
          { name: 'Source', isHead: true, cell: ({ name, title }) => link(`/admin/imports/${name}`, title) },
          { name: 'As of', cell: ({ asOf }) => asOf ?? 'Unknown' },
          { name: 'Fresh for', isNumber: true, cell: ({ freshDays }) => `${number(freshDays)} days` },
        ]}
        rowKey={({ name }) => name}
      />
      <TaxYears lastTaxYear={lastTaxYear} />
      <Rates {...rates} />
      <Faults
        id="logos"
        title="Providers without a logo"
        rule="Listed providers for which the feed has no logo colour."
        some={noLogo}
        columns={[
          { name: 'Provider', isHead: true, cell: ({ slug, name }) => link(`/providers/${slug}`, name) },
          { name: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
        ]}
        rowKey={({ slug }) => slug}
      />
      <Faults
        id="fscs"
        title="FSCS brands without a provider"
        rule="FSCS brands that match no listed provider. The API returns null as their provider."
        some={unlinked}
        columns={[
          { name: 'Brand', isHead: true, cell: ({ brand }) => link(`/admin/products?q=${encodeURIComponent(brand)}`, brand) },
          { name: 'Firm', cell: ({ legalName }) => legalName },
        ]}
        rowKey={({ brand }) => brand}
      />
    </>
  )
}
