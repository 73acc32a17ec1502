import type { Metadata } from 'next'
import { cache } from 'react'
import { AdminDelivery } from '#components/admin/failed-deliveries.tsx'
import { RedeliverForm } from '#components/admin/redeliver-forms.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { oneAgainAction } from '../../actions.ts'

type Props = { params: Promise<{ id: string; deliveryId: string }> }

const getDelivery = cache(async (endpoint: string, delivery: string) => found((await adminCaller()).admin.deliveries.read({ endpoint, delivery })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return {}
  const { id, deliveryId } = await params
  return (await getDelivery(id, deliveryId)) === null ? missingMetadata : { title: 'Delivery' }
}

export default async function AdminDeliveryPage({ params }: Props) {
  if (await lacksAdminAccess()) return null
  const { id, deliveryId } = await params
  const delivery = await getDelivery(id, deliveryId)
  if (delivery === null) return missing()
  const canGoAgain = delivery.state === 'delivered' || delivery.state === 'dead'
  return (
    <div className="max-w-200">
      <AdminDelivery delivery={delivery}>
        <RedeliverForm endpoint={id} delivery={delivery.id} canGoAgain={canGoAgain} action={oneAgainAction} />
      </AdminDelivery>
    </div>
  )
}
