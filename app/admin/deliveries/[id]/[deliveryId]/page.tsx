import type { Metadata } from 'next'
import { AdminDelivery } from '#components/admin/deliveries.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Delivery' }

type Props = { params: Promise<{ id: string; deliveryId: string }> }

export default async function AdminDeliveryPage({ params }: Props) {
  const { id: endpoint, deliveryId: delivery } = await params
  const content = (
    <div className="max-w-200">
      <AdminDelivery endpoint={endpoint} delivery={delivery} />
    </div>
  )
  return adminPage(content, (load, { deliveries }) => [load(deliveries.read.queryOptions({ endpoint, delivery }))])
}
