import type { Metadata } from 'next'
import { FoundProducts, ProductSearch } from '#components/admin/market/products.tsx'
import { AdminTitle } from '#components/admin/section.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Products' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

const one = (value: string | string[] | undefined, maxLength: number) => (typeof value === 'string' ? value.slice(0, maxLength) : '')

export default async function ProductsPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const search = await searchParams
  const view = { text: one(search['q'], 200), isCorrected: search['corrected'] === 'yes', after: one(search['after'], 120) }
  const { rows, next } = await (await adminCaller()).admin.products.search(view)
  const same = { ...(view.text === '' ? {} : { q: view.text }), ...(view.isCorrected ? { corrected: 'yes' } : {}) }
  return (
    <>
      <AdminTitle>Products</AdminTitle>
      <ProductSearch text={view.text} isCorrected={view.isCorrected} />
      <FoundProducts rows={rows} text={view.text} more={next === null ? null : `/admin/products?${new URLSearchParams({ ...same, after: next })}`} />
    </>
  )
}
