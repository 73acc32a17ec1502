import { DataTable } from '#components/data/data-table.tsx'
import { Button } from '#components/ui/button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { accountTypes } from '#server/api/contract/account-types.ts'

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

/** State tags of a product. */
export function ProductTags({ isListed, isCorrected }: Pick<Found, 'isListed' | 'isCorrected'>) {
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
