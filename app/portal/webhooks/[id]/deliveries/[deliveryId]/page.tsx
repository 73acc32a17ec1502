import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DeliveryDetail } from '../../../../../../components/portal/webhooks/delivery-detail.tsx'
import { RedeliverForm } from '../../../../../../components/portal/webhooks/webhook-forms.tsx'
import { portalCaller, signedIn } from '../../../../../portal-caller.ts'
import { redeliverAction } from '../../../actions.ts'
import { found } from '../../../found.ts'

export const metadata: Metadata = { title: 'Delivery' }

export default async function DeliveryPage({ params }: { params: Promise<{ id: string; deliveryId: string }> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id, deliveryId } = await params
  const delivery = await found((await portalCaller()).webhooks.delivery({ id: deliveryId.slice(0, 64) }))
  if (delivery.endpoint !== id) notFound()
  const canGoAgain = delivery.state === 'delivered' || delivery.state === 'dead'
  return (
    <div className="max-w-200">
      <DeliveryDetail delivery={delivery}>
        <RedeliverForm endpoint={delivery.endpoint} delivery={delivery.id} canGoAgain={canGoAgain} action={redeliverAction} />
      </DeliveryDetail>
    </div>
  )
}
