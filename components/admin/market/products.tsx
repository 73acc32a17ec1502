import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Fact } from '#components/portal/fact.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { AdminSection, AdminTitle } from '../section.tsx'

const box = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-base sm:text-body'

/** Product search. A GET form, so it works without JavaScript. */
export function ProductSearch({ text, isCorrected }: { text: string; isCorrected: boolean }) {
  return (
    <search>
      <form action="/admin/products" className="mb-6 flex flex-wrap items-end gap-4 border-y border-line py-4">
        <label className="flex min-w-0 grow flex-col gap-1">
          <span className="text-note font-medium">Key, name, provider or type</span>
          <input name="q" defaultValue={text} spellCheck={false} autoComplete="off" autoCapitalize="none" maxLength={200} className={box} />
        </label>
        <label className="flex h-11 items-center gap-2">
          <input type="checkbox" name="corrected" value="yes" defaultChecked={isCorrected} className="size-5 accent-accent" />
          Manually corrected only
        </label>
        <Button kind="second" type="submit">
          Find products
        </Button>
      </form>
    </search>
  )
}

type Found = {
  readonly sourceKey: string
  readonly accountName: string
  readonly accountType: string
  readonly provider: string
  readonly rateBp: number
  readonly isListed: boolean
  readonly isCorrected: boolean
}

const typeName = (type: string) => Object.entries(accountTypes).find(([name]) => name === type)?.[1].label ?? type

function ProductTags({ isListed, isCorrected }: Pick<Found, 'isListed' | 'isCorrected'>) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {isListed ? <Tag tone="good">Listed</Tag> : <Tag tone="plain">Withdrawn</Tag>}
      {isCorrected ? <Tag tone="caution">Corrected</Tag> : null}
    </span>
  )
}

/** Search results with a link to the next page. */
export function FoundProducts({ rows, more, text }: { rows: readonly Found[]; more: string | null; text: string }) {
  if (rows.length === 0) return <p>{text === '' ? 'No products.' : `No products match ‘${text}’.`}</p>
  return (
    <>
      <DataTable
        caption="Products"
        rows={rows}
        rowKey={({ sourceKey }) => sourceKey}
        columns={[
          {
            name: 'Product',
            isHead: true,
            cell: ({ sourceKey, accountName }) => (
              <a className="prose-link" href={`/admin/products/${sourceKey}`}>
                {accountName}
                <span className="block font-mono text-note font-normal wrap-anywhere">{sourceKey}</span>
              </a>
            ),
          },
          { name: 'Provider', cell: ({ provider }) => provider },
          { name: 'Type', cell: ({ accountType }) => typeName(accountType) },
          { name: 'Rate', isNumber: true, cell: ({ rateBp }) => `${(rateBp / 100).toFixed(2)}%` },
          { name: 'State', isBeside: true, cell: (product) => <ProductTags {...product} /> },
        ]}
      />
      {more === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={more}>
            More products
          </a>
        </p>
      )}
    </>
  )
}

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

/** Formats changed terms as `label old → new`, separated by commas. */
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
