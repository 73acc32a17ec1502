import type { ReactNode } from 'react'
import { type Column, DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { AdminSection } from '../admin-title.tsx'

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

type ListProps<Row> = { id: string; title: string; rule: string; some: Some<Row>; columns: readonly Column<Row>[]; keyOf: (row: Row) => string }

/** A kind of fault: the rule with its numbers, how many there are, and the first of them. */
function Faults<Row>({ id, title, rule, some, columns, keyOf }: ListProps<Row>) {
  const { rows, total } = some
  return (
    <AdminSection id={id} title={`${title} (${number(total)})`}>
      <p className="mb-3 max-w-prose text-pretty text-ink-2">
        {rule}
        {total > rows.length ? ` The first ${number(rows.length)} of ${number(total)}.` : ''}
      </p>
      {rows.length === 0 ? <p>None.</p> : <DataTable caption={title} columns={columns} rows={rows} keyOf={keyOf} />}
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
  const bankRate = bankRateBp === null ? 'Bank Rate, which is not known just now' : `Bank Rate (${percent(bankRateBp)})`
  const sourceKeyOf = ({ sourceKey }: { readonly sourceKey: string }) => sourceKey
  return (
    <>
      <Faults
        id="high"
        title="Rates too far above Bank Rate"
        rule={`More than ${points(aboveBankRateBp.other)} above ${bankRate}; regular savers more than ${points(aboveBankRateBp.regularSaver)}.`}
        some={high}
        columns={rateColumns}
        keyOf={sourceKeyOf}
      />
      <Faults id="zero" title="Products that pay nothing" rule="Listed at 0.00%." some={zero} columns={rateColumns} keyOf={sourceKeyOf} />
      <Faults
        id="moved"
        title="Sudden moves"
        rule={`A change of ${points(suddenMove.leastBp)} or more within the last ${suddenMove.days} days.`}
        some={moved}
        columns={[
          { name: 'Product', isHead: true, cell: productLink },
          { name: 'Before', isNumber: true, cell: ({ fromBp }) => percent(fromBp) },
          { name: 'After', isNumber: true, cell: ({ toBp }) => percent(toBp) },
          { name: 'When', cell: ({ at }) => <Time at={at} look="row" /> },
        ]}
        keyOf={sourceKeyOf}
      />
    </>
  )
}

/** Rules of a year come with a release, so whoever looks here is told a year ahead. */
function TaxYears({ lastTaxYear }: Pick<ShownQuality, 'lastTaxYear'>) {
  const rows = lastTaxYear === null ? [] : [lastTaxYear]
  return (
    <Faults
      id="tax-years"
      title="Tax years that run out"
      rule="The last tax year that the calculators know, once it has begun. From the day after it ends they refuse calls that give no tax year, until a release knows the next one."
      some={{ rows, total: rows.length }}
      columns={[
        { name: 'Tax year', isHead: true, cell: ({ taxYear }) => taxYear },
        { name: 'Ends on', cell: ({ endsOn }) => endsOn },
      ]}
      keyOf={({ taxYear }) => taxYear}
    />
  )
}

/** What is stale, missing or hard to believe about the live market. */
export function QualityBoard({ stale, lastTaxYear, noLogo, unlinked, ...rates }: ShownQuality) {
  return (
    <>
      <Faults
        id="stale"
        title="Stale sources"
        rule="The newest day that a source told of is older than its rhythm explains."
        some={{ rows: stale, total: stale.length }}
        columns={[
          { name: 'Source', isHead: true, cell: ({ name, title }) => link(`/admin/imports/${name}`, title) },
          { name: 'As of', cell: ({ asOf }) => asOf ?? 'Not known' },
          { name: 'Fresh for', isNumber: true, cell: ({ freshDays }) => `${number(freshDays)} days` },
        ]}
        keyOf={({ name }) => name}
      />
      <TaxYears lastTaxYear={lastTaxYear} />
      <Rates {...rates} />
      <Faults
        id="logos"
        title="Providers without a logo"
        rule="Listed, and the feed gives no colour for a logo."
        some={noLogo}
        columns={[
          { name: 'Provider', isHead: true, cell: ({ slug, name }) => link(`/providers/${slug}`, name) },
          { name: 'Slug', cell: ({ slug }) => <code className="font-mono">{slug}</code> },
        ]}
        keyOf={({ slug }) => slug}
      />
      <Faults
        id="fscs"
        title="FSCS brands without a provider"
        rule="Brands of the FSCS list whose name no listed provider has; the reference list says null for them."
        some={unlinked}
        columns={[
          { name: 'Brand', isHead: true, cell: ({ brand }) => link(`/admin/products?q=${encodeURIComponent(brand)}`, brand) },
          { name: 'Firm', cell: ({ legalName }) => legalName },
        ]}
        keyOf={({ brand }) => brand}
      />
    </>
  )
}
