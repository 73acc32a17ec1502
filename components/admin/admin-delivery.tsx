import type { ReactNode } from 'react'
import { DeliveryInFull, type ShownDeliveryInFull } from '#components/portal/webhooks/delivery-detail.tsx'

/** Admin view of a webhook delivery. */
export function AdminDelivery({ delivery, children }: { delivery: ShownDeliveryInFull; children: ReactNode }) {
  const { endpoint } = delivery
  const words = {
    way: { href: `/admin/deliveries/${endpoint}`, label: endpoint },
    ownEvent: 'Free: an event about the account itself',
    owed: 'Owed: the balance was too low, so it is charged to the next top-up',
    answered: 'Response of the customer’s server',
  }
  return (
    <DeliveryInFull delivery={delivery} words={words}>
      {children}
    </DeliveryInFull>
  )
}
