'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { FilterBar } from '../kit/filter-bar.tsx'
import { CellLink, Heading, type Outputs } from '../kit/layout.tsx'
import { toHref } from '../kit/search.ts'
import type { readProductSearch } from '../views.ts'

type Found = Outputs['products']['search']['rows'][number]

const typeName = (type: string) => Object.entries(accountTypes).find(([name]) => name === type)?.[1].label ?? type

export function ProductTags({ isListed, isCorrected }: Pick<Found, 'isListed' | 'isCorrected'>) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {isListed ? null : <Tag tone="plain">Withdrawn</Tag>}
      {isCorrected ? <Tag tone="caution">Corrected</Tag> : null}
    </span>
  )
}

const columns: readonly AdminColumn<Found>[] = [
  {
    name: 'Product',
    isHead: true,
    cell: ({ sourceKey, accountName }) => (
      <CellLink href={`/admin/products/${encodeURIComponent(sourceKey)}`} note={sourceKey}>
        {accountName}
      </CellLink>
    ),
  },
  { name: 'Provider', cell: ({ provider }) => provider },
  { name: 'Type', cell: ({ accountType }) => typeName(accountType) },
  { name: 'Rate', isNumber: true, cell: ({ rateBp }) => `${(rateBp / 100).toFixed(2)}%` },
  { name: 'State', isBeside: true, cell: (product) => <ProductTags {...product} /> },
]

/** Product search with its results. */
export function ProductList({ search }: { search: ReturnType<typeof readProductSearch> }) {
  const { data } = useSuspenseQuery(useTRPC().admin.products.search.queryOptions(search))
  const { text, isCorrected } = search
  const given = { q: text, corrected: isCorrected ? 'yes' : null }
  return (
    <>
      <Heading title="Products" />
      <FilterBar
        path="/admin/products"
        button="Find products"
        filters={[
          { name: 'q', label: 'Key, name, provider or type', value: text === '' ? null : text },
          { name: 'corrected', label: 'Manually corrected only', type: 'checkbox', value: given.corrected },
        ]}
      />
      <AdminTable
        caption="Products"
        rows={data.rows}
        rowKey={({ sourceKey }) => sourceKey}
        columns={columns}
        empty={text === '' ? 'No products.' : `No products match “${text}”.`}
        next={{ href: data.next === null ? null : toHref('/admin/products', { ...given, after: data.next }), name: 'More products' }}
      />
    </>
  )
}
