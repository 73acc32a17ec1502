import type { Metadata } from 'next'
import type { Search } from '#components/admin/kit/search.ts'
import { ProductList } from '#components/admin/market/products.tsx'
import { readProductSearch } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Products' }

type Props = { searchParams: Promise<Search> }

export default async function ProductsPage({ searchParams }: Props) {
  const search = readProductSearch(await searchParams)
  return adminPage(<ProductList search={search} />, (load, admin) => [load(admin.products.search.queryOptions(search))])
}
