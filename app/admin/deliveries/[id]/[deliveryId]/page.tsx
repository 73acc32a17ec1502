import type { Metadata } from 'next'
import { cache } from 'react'
import { OneAgain } from '#components/admin/desk-again.tsx'
import { DeskDelivery } from '#components/admin/desk-delivery.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { found } from '#server/pages/or-null.ts'
import { oneAgainAction } from '../../actions.ts'

type Props = { params: Promise<{ id: string; deliveryId: string }> }

const deliveryOf = cache(async (endpoint: string, delivery: string) => found((await deskCaller()).admin.deliveries.read({ endpoint, delivery })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await isDeskShut()) return {}
  const { id, deliveryId } = await params
  return (await deliveryOf(id, deliveryId)) === null ? missingMetadata : { title: 'Delivery' }
}

export default async function DeskDeliveryPage({ params }: Props) {
  if (await isDeskShut()) return null
  const { id, deliveryId } = await params
  const delivery = await deliveryOf(id, deliveryId)
  if (delivery === null) return missing()
  const canGoAgain = delivery.state === 'delivered' || delivery.state === 'dead'
  return (
    <div className="max-w-200">
      <DeskDelivery delivery={delivery}>
        <OneAgain endpoint={id} delivery={delivery.id} canGoAgain={canGoAgain} action={oneAgainAction} />
      </DeskDelivery>
    </div>
  )
}
