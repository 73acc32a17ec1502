import type { Metadata } from 'next'
import { cache } from 'react'
import { OwnDelivery } from '#components/portal/webhooks/own-delivery.tsx'
import { found } from '#server/pages/load.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

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
  return (
    <Prefetched queries={(client, { webhooks }) => [client.prefetchQuery({ ...webhooks.delivery.queryOptions({ id: deliveryId }), initialData: delivery })]}>
      <div className="max-w-200">
        <OwnDelivery id={deliveryId} />
      </div>
    </Prefetched>
  )
}
