import type { Metadata } from 'next'
import { Deliveries } from '#components/portal/webhooks/deliveries.tsx'
import { Redeliver } from '#components/portal/webhooks/redeliver.tsx'
import { WebhookDetails, WebhookHead } from '#components/portal/webhooks/webhook-detail.tsx'
import { DeleteWebhook, RotateSecret, WebhookActions } from '#components/portal/webhooks/webhook-forms.tsx'
import { Health, WebhookFigures } from '#components/portal/webhooks/webhook-health.tsx'
import { Samples } from '#components/portal/webhooks/webhook-samples.tsx'
import { Columns } from '#components/ui/columns.tsx'
import { creditsPerEvent, deliveryStates, eventTypes, oldSecretHours } from '#server/api/contract/webhooks.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { getSamples, getWebhook } from '#server/pages/webhook-pages.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Endpoint', () => getWebhook(id))
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const [{ id }, search] = [await params, await searchParams]
  const webhook = await getWebhook(id)
  if (webhook === null) return missingThing()
  const view = {
    state: deliveryStates.find((state) => state === search['state']) ?? null,
    type: eventTypes.find((type) => type === search['type']) ?? null,
    cursor: typeof search['cursor'] === 'string' && /^\d{1,18}$/.test(search['cursor']) ? search['cursor'] : null,
  }
  const samples = await getSamples(webhook.types)
  return (
    <Prefetched
      queries={(client, { webhooks }) => [
        client.prefetchQuery({ ...webhooks.read.queryOptions({ id }), initialData: webhook }),
        client.prefetchQuery(webhooks.health.queryOptions({ id })),
        client.prefetchQuery(webhooks.deliveries.queryOptions({ id, ...view })),
        client.prefetchQuery(webhooks.deliveries.queryOptions({ id, state: 'dead', type: null, cursor: null })),
      ]}
    >
      <WebhookHead id={id} creditsPerEvent={creditsPerEvent} actions={<WebhookActions id={id} />} />
      <WebhookFigures id={id} />
      <Columns
        aside={
          <>
            <WebhookDetails id={id} />
            <RotateSecret id={id} hours={oldSecretHours} />
            <DeleteWebhook id={id} />
          </>
        }
      >
        <Deliveries endpoint={id} view={view} types={eventTypes} />
        <Health id={id} />
        <Samples samples={samples} />
        <Redeliver id={id} />
      </Columns>
    </Prefetched>
  )
}
