import type { ReactNode } from 'react'
import { DeliveryInFull, type ShownDeliveryInFull } from '#components/portal/webhooks/delivery-detail.tsx'

/** Everything that is kept of a delivery, as the desk reads it. */
export function AdminDelivery({ delivery, children }: { delivery: ShownDeliveryInFull; children: ReactNode }) {
  const { endpoint } = delivery
  const words = {
    way: { href: `/admin/deliveries/${endpoint}`, label: endpoint },
    ownEvent: 'Free: an event of the account itself',
    owed: 'Owed: the balance was too low, so it is taken from the next credits',
    answered: 'What the account’s server answered',
  }
  return (
    <DeliveryInFull delivery={delivery} words={words}>
      {children}
    </DeliveryInFull>
  )
}
