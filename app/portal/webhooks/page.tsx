import type { Metadata } from 'next'
import { AskForWebhooks, WebhookList } from '#components/portal/webhooks/webhook-list.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { eventPrice } from '#server/pages/webhook-pages.ts'
import { askForWebhooksAction } from './actions.ts'

export const metadata: Metadata = { title: 'Webhooks' }

export default async function WebhooksPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const portal = await portalCaller()
  const access = await portal.webhooks.access()
  const { isOn } = access
  const webhooks = isOn ? await portal.webhooks.list() : []
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Webhooks</h1>
        {isOn ? (
          <ButtonLink kind="primary" href="/portal/webhooks/new">
            Add endpoint
          </ButtonLink>
        ) : null}
      </div>
      {isOn ? null : <AskForWebhooks {...access} action={askForWebhooksAction} />}
      {isOn && webhooks.length === 0 ? <p>No endpoints yet. Add one to receive events at your own URL.</p> : null}
      {webhooks.length === 0 ? null : <WebhookList webhooks={webhooks} />}
      <p className="mt-6 text-note text-ink-2">
        {eventPrice}{' '}
        <a className="prose-link" href="/docs/webhooks">
          How to receive events
        </a>
      </p>
    </>
  )
}
