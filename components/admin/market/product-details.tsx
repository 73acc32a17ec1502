import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Fact } from '#components/portal/fact.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { AdminSection, AdminTitle } from '../admin-title.tsx'
import { ProductTags } from './product-search.tsx'

export type Line = { readonly label: string; readonly from: string; readonly to: string }

export type ShownCorrection = {
  readonly isWithdrawal: boolean
  readonly lines: readonly Line[]
  readonly feedSays: readonly Line[] | null
  readonly reason: string
  readonly begunAt: Date
  readonly by: string
  readonly endsAt: Date | null
  readonly endedAt: Date | null
  readonly endedBy: string | null
}

export type ShownProduct = {
  readonly sourceKey: string
  readonly provider: string
  readonly accountName: string
  readonly isWithdrawn: boolean
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly correction: ShownCorrection | null
  readonly former: readonly ShownCorrection[]
}

/** Formats changed terms. */
export const toFeedValue = (lines: readonly Line[]): string => lines.map(({ label, from, to }) => `${label} ${from} → ${to}`).join(', ')

export const describeCorrection = ({ isWithdrawal, lines }: ShownCorrection): string => (isWithdrawal ? 'Withdrawn' : toFeedValue(lines))

function Standing({ correction }: { correction: ShownCorrection }) {
  const { reason, begunAt, by, endsAt } = correction
  return (
    <div className="mb-6">
      <Notice tone="caution" title="Manually corrected">
        <p>
          {describeCorrection(correction)}. By {by} on <Time at={begunAt} isStop />, {endsAt === null ? 'until ended by an administrator' : 'until '}
          {endsAt === null ? null : <Time at={endsAt} isStop />}. Why: {reason}
        </p>
      </Notice>
    </div>
  )
}

/** Product as returned to callers. */
export function ProductDetails({ product }: { product: ShownProduct }) {
  const { sourceKey, provider, accountName, isWithdrawn, facts, correction } = product
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/admin/products">
          Products
        </a>
      </p>
      <AdminTitle aside={<ProductTags isListed={!isWithdrawn} isCorrected={correction !== null} />}>{accountName}</AdminTitle>
      {correction === null ? null : <Standing correction={correction} />}
      <dl className="border-t border-line">
        <Fact name="Provider">{provider}</Fact>
        <Fact name="Key">
          <code className="font-mono text-table">{sourceKey}</code>
        </Fact>
        {facts.map(({ label, value }) => (
          <Fact key={label} name={label}>
            {value}
          </Fact>
        ))}
        <Fact name="Public page">
          <a className="prose-link" href={`/products/${sourceKey}`}>
            View public page
          </a>
        </Fact>
      </dl>
    </>
  )
}

/** Past corrections of a product. */
export function FormerCorrections({ former }: { former: readonly ShownCorrection[] }) {
  if (former.length === 0) return null
  return (
    <AdminSection id="former" title="Earlier corrections">
      <DataTable
        caption="Earlier corrections, newest first"
        rows={former}
        rowKey={({ begunAt }) => begunAt.toISOString()}
        columns={[
          { name: 'Started', isHead: true, cell: ({ begunAt }) => <Time at={begunAt} look="row" /> },
          { name: 'Correction', cell: describeCorrection },
          { name: 'Why', cell: ({ reason, by }) => `${reason} (${by})` },
          {
            name: 'Ended',
            cell: ({ endedAt, endedBy }) => (
              <>
                {endedAt === null ? null : <Time at={endedAt} look="row" />} by {endedBy ?? 'expiry'}
              </>
            ),
          },
        ]}
      />
    </AdminSection>
  )
}
