import type { Metadata } from 'next'
import { ProductPage } from '#components/admin/market/product.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Product' }

type Props = { params: Promise<{ sourceKey: string }> }

export default async function ProductPageOf({ params }: Props) {
  const { sourceKey } = await params
  return adminPage(<ProductPage sourceKey={sourceKey} />, (load, admin) => [load(admin.products.read.queryOptions({ sourceKey }))])
}
