import type { Metadata } from 'next'
import { Webhooks } from '#components/portal/webhooks/webhook-access.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { eventPrice } from '#server/pages/webhook-pages.ts'

export const metadata: Metadata = { title: 'Webhooks' }

export default async function WebhooksPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const access = await (await portalCaller()).webhooks.access()
  return (
    <Prefetched
      queries={(client, { webhooks }) => [
        client.prefetchQuery({ ...webhooks.access.queryOptions(), initialData: access }),
        ...(access.isOn
          ? [
              client.prefetchQuery(webhooks.list.queryOptions()),
              client.prefetchQuery(webhooks.deliveries.queryOptions({ id: null, state: null, type: null, cursor: null })),
            ]
          : []),
      ]}
    >
      <Webhooks price={eventPrice} isApproved={viewer.state === 'open'} />
    </Prefetched>
  )
}
