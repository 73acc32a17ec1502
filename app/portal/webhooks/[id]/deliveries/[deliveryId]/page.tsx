import type { Metadata } from 'next'
import { cache } from 'react'
import { redeliverAction } from '#app/portal/webhooks/actions.ts'
import { DeliveryDetail } from '#components/portal/webhooks/delivery-detail.tsx'
import { RedeliverForm } from '#components/portal/webhooks/webhook-forms.tsx'
import { found } from '#server/pages/load.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ id: string; deliveryId: string }> }

/** Returns a delivery; null if it doesn't exist or belongs to another endpoint. */
const getDelivery = cache(async (endpoint: string, id: string) => {
  const delivery = await found((await portalCaller()).webhooks.delivery({ id }))
  return delivery?.endpoint === endpoint ? delivery : null
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id, deliveryId } = await params
  return titled('Delivery', () => getDelivery(id, deliveryId))
}

export default async function DeliveryPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id, deliveryId } = await params
  const delivery = await getDelivery(id, deliveryId)
  if (delivery === null) return missingThing()
  const canGoAgain = delivery.state === 'delivered' || delivery.state === 'dead'
  return (
    <div className="max-w-200">
      <DeliveryDetail delivery={delivery}>
        <RedeliverForm endpoint={delivery.endpoint} delivery={delivery.id} canGoAgain={canGoAgain} action={redeliverAction} />
      </DeliveryDetail>
    </div>
  )
}
