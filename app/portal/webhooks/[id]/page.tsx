import type { Metadata } from 'next'
import { Deliveries } from '#components/portal/webhooks/deliveries.tsx'
import { Health, Samples, WebhookDetail } from '#components/portal/webhooks/webhook-detail.tsx'
import { WebhookForms } from '#components/portal/webhooks/webhook-forms.tsx'
import { creditsPerEvent, deliveryStates, eventTypes, oldSecretHours } from '#server/api/contract/webhooks.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { getSamples, getWebhook } from '#server/pages/webhook-pages.ts'
import * as actions from '../actions.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

const forms = {
  test: actions.testWebhookAction,
  pause: actions.pauseWebhookAction,
  resume: actions.resumeWebhookAction,
  again: { failed: actions.redeliverFailedAction, range: actions.redeliverRangeAction },
  rotate: actions.rotateSecretAction,
  remove: actions.deleteWebhookAction,
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Endpoint', () => getWebhook(id))
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const [{ webhooks }, { id }, search] = [await portalCaller(), await params, await searchParams]
  const webhook = await getWebhook(id)
  if (webhook === null) return missingThing()
  const view = {
    state: deliveryStates.find((state) => state === search['state']) ?? null,
    type: eventTypes.find((type) => type === search['type']) ?? null,
    cursor: typeof search['cursor'] === 'string' && /^\d{1,18}$/.test(search['cursor']) ? search['cursor'] : null,
  }
  const [health, page, dead, samples] = await Promise.all([
    webhooks.health({ id }),
    webhooks.deliveries({ id, ...view }),
    webhooks.deliveries({ id, state: 'dead', type: null, cursor: null }),
    getSamples(webhook.types),
  ])
  const isSentTo = webhook.state === 'active' || webhook.state === 'held'
  return (
    <>
      <WebhookDetail webhook={webhook} creditsPerEvent={creditsPerEvent} />
      <Health health={health} />
      <Deliveries endpoint={id} view={view} types={eventTypes} {...page} />
      <Samples samples={samples} />
      <WebhookForms id={id} isSentTo={isSentTo} hasFailed={dead.deliveries.length > 0} oldSecretHours={oldSecretHours} actions={forms} />
    </>
  )
}
